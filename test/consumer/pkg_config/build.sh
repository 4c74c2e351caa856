#!/bin/sh
# build.sh static|shared|plain <source> <program>: the build of someone who uses nothing but pkg-config.
set -eu
kind=$1 source=$2 program=$3

flags=$("$PKG_CONFIG" --cflags --libs snug)
if [ "$kind" = static ]; then
  flags=$("$PKG_CONFIG" --static --cflags --libs snug)
fi
# shellcheck disable=SC2086  # the flags are meant to be split
"$CXX" -std=c++20 "$source" $flags -o "$program"
