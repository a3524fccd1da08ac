"""The options and the help of each command, which import nothing slow; see `app`."""
