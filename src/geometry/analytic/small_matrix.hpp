#pragma once

#include "support/rooms.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace snug::geometry {

template <std::size_t N>
using SmallVector = std::array<double, N>;
/// Row by row.
template <std::size_t N>
using SmallMatrix = std::array<SmallVector<N>, N>;

/// Adds v v^T.
template <std::size_t N>
void add_square(SmallMatrix<N>& m, const SmallVector<N>& v) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) m[i][j] += v[i] * v[j];
}

template <std::size_t N>
struct Eigen {
  SmallVector<N> value;   ///< ascending
  SmallMatrix<N> vector;  ///< unit, one per row
};

/// Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations: slow for large matrices, accurate for small ones.
template <std::size_t N>
Eigen<N> symmetric_eigen(SmallMatrix<N> m) noexcept {
  SmallMatrix<N> v{};
  for (std::size_t i = 0; i < N; ++i) v[i][i] = 1;
  constexpr int k_most_sweeps = 40;  // convergence is quadratic; eight are usual
  for (int sweep = 0; sweep < k_most_sweeps; ++sweep) {
    bool changed = false;
    for (std::size_t p = 0; p + 1 < N; ++p)
      for (std::size_t q = p + 1; q < N; ++q) {
        if (std::abs(m[p][q]) <= 0x1p-60 * std::sqrt(std::abs(m[p][p] * m[q][q]))) continue;
        changed = true;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < N; ++k) {
          const double kp = m[k][p], kq = m[k][q];
          m[k][p] = c * kp - s * kq, m[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < N; ++k) {
          const double pk = m[p][k], qk = m[q][k], vp = v[p][k], vq = v[q][k];
          m[p][k] = c * pk - s * qk, m[q][k] = s * pk + c * qk;
          v[p][k] = c * vp - s * vq, v[q][k] = s * vp + c * vq;
        }
        m[p][q] = m[q][p] = 0;
      }
    if (!changed) break;
  }
  Eigen<N> out;
  std::array<std::size_t, N> order;
  for (std::size_t i = 0; i < N; ++i) order[i] = i;
  for (std::size_t i = 1; i < N; ++i)
    for (std::size_t j = i; j > 0 && m[order[j]][order[j]] < m[order[j - 1]][order[j - 1]]; --j)
      std::swap(order[j], order[j - 1]);
  for (std::size_t i = 0; i < N; ++i) out.value[i] = m[order[i]][order[i]], out.vector[i] = v[order[i]];
  return out;
}

/// The solution of m x = b by elimination; none if the matrix is singular to all digits.
template <std::size_t N>
std::optional<SmallVector<N>> solve(SmallMatrix<N> m, SmallVector<N> b) noexcept {
  for (std::size_t column = 0; column < N; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < N; ++row)
      if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
    if (!(std::abs(m[pivot][column]) > 0)) return std::nullopt;
    std::swap(m[pivot], m[column]), std::swap(b[pivot], b[column]);
    for (std::size_t row = column + 1; row < N; ++row) {
      const double factor = m[row][column] / m[column][column];
      for (std::size_t k = column; k < N; ++k) m[row][k] -= factor * m[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = N; row-- > 0;) {
    for (std::size_t k = row + 1; k < N; ++k) b[row] -= m[row][k] * b[k];
    b[row] /= m[row][row];
  }
  return b;
}

}  // namespace snug::geometry
