import type { FlagValues } from '../command.ts'

/** Flags that name the compose files of a project. */
export const composeFlags = {
  '-f, --file <path>': 'The compose file; `-` reads standard input and sends nothing else',
  '--directory <path>': "The project's directory, if it is not that of the compose file",
  '--env-file <path>': 'The file sent as .env',
  '--without-env': 'Do not send .env',
  '--overlay <...name=path>': 'An overlay, such as prod=compose.prod.yaml; repeatable',
} as const

/** Flags of commands that send the files of a stack. */
export const folderFlags = {
  ...composeFlags,
  '--include <...pattern>': 'Also send what matches, such as docs/**; repeatable',
  '--all': 'Send everything in the directory except .git',
  '--empty-data': 'The stack may start without mounted data that is not sent; do not ask',
  '--dry-run': 'Show what would be sent; nothing is sent',
} as const

export type FolderFlags = FlagValues<typeof folderFlags>

/** The help text for those flags. */
export const folderDetails = `
A stack is the directory of its compose file: compose.yaml, compose.yml, docker-compose.yaml or docker-compose.yml in
the current one, or --file. The client sends that file, .env, and the overlays compose.<name>.yaml, which a deploy with
--environment <name> applies. It also sends what they refer to: files of include, extends, env_file, label_file,
secrets and configs, Dockerfiles, build contexts as .dockerignore says, mounted files, and directories that services
mount read-only. A directory that services may write to is sent up to 100 files and 1 MiB, and written only where the
host has nothing yet. The data in a larger one stays in the directory, and the stack starts without it: the client asks
on a terminal what to do, and prints a warning elsewhere.

It prints what it sends and what it leaves out, on standard error. With --overlay, it sends only the given overlays.
Use --directory .. if the compose file refers to directories beside its own, such as ../api.`
