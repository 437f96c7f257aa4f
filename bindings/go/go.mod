module ltt

go 1.19
