// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * put FILE TEXT: write the text to the file in one write, without a newline.
 *
 * Cases do so all the time, and in an emulated machine a static program starts in a third of the time of a dynamic one.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t size;
	int file;

	if (argc != 3)
		errx(2, "usage: put FILE TEXT");
	file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (file < 0)
		err(1, "%s", argv[1]);
	size = strlen(argv[2]);
	errno = EIO;		/* of a write that is cut */
	if (size && write(file, argv[2], size) != (ssize_t)size)
		err(1, "%s", argv[1]);
	return 0;
}
