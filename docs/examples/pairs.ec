c perfect matchings of a square with one diagonal
p ec 4
s 1 2
s 2 3
s 3 4
s 1 4
s 1 3
