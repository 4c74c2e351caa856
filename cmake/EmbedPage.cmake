# cmake -DINPUT=page.html -DOUTPUT=page_template.cpp -P EmbedPage.cmake
# The viewer becomes a string of the library, in pieces that every compiler takes.
file(READ "${INPUT}" page)
string(LENGTH "${page}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 12000 piece)
  string(APPEND pieces "R\"snug-page(${piece})snug-page\"\n")
  math(EXPR at "${at} + 12000")
endwhile()
file(WRITE "${OUTPUT}" "#include \"page/template.hpp\"\n\nnamespace snug::page {\n\nnamespace {\nconstexpr char k_page[] =\n${pieces};\n}  // namespace\n\nstd::string_view page_template() noexcept { return {k_page, sizeof k_page - 1}; }\n\n}  // namespace snug::page\n")
