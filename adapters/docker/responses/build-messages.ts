import type { MessageRow } from './message-row.ts'

const unfetched = 'a file that the Dockerfile adds from an address cannot be fetched'

/** Errors of builds, both of BuildKit and of the Engine's old builder. */
export const buildMessages: readonly MessageRow[] = [
  [/no active session/, 'the connection on which the build asks for secrets and credentials broke'],
  // What is fetched. None of it tells whether something listens at an address.
  [
    /^(?:error fetching|failed to read (?:dockerfile|downloaded context): failed to load cache key)/,
    'the build context cannot be fetched from its address',
  ],
  [
    /failed to load cache key: (?:Get|Head|invalid response status|error fetching|failed to fetch) /,
    unfetched,
  ],
  [/^ADD failed: (?:Get|Head|failed to GET) /, unfetched],
  [
    /checksum requires HTTP/,
    'ADD has a checksum, which is possible only for what comes from an address',
  ],
  // Copies.
  [
    /(?:COPY|ADD) with more than one source file/,
    'a target of the Dockerfile for several files must be a directory, with / at its end',
  ],
  [
    /failed to copy (?:files|directory): .*not a directory$|^mkdir \/[^\n]{0,1000}: not a directory$|cannot copy to non-directory/s,
    'the Dockerfile uses a file of the image as a directory',
  ],
  [
    /^lstat (?!\/var\/lib\/)(\/[\w./@+-]{1,1000}): no such file or directory$/,
    'the Dockerfile copies a path that its source does not have: $1',
  ],
  [
    /can't find [ug]id for (user|group) ([\w.-]{1,64})/,
    'the image has no $1 $2, to whom the Dockerfile gives a file',
  ],
  [/^invalid syntax$/, 'the Dockerfile has an option, such as --chmod, that is not valid'],
  // Options of commands.
  [/unsupported mount type "([\w-]{1,40})"/, 'RUN --mount: there is no type $1'],
  [/unexpected key '([\w-]{1,40})' in/, 'the Dockerfile has an option that is not known: $1'],
  [
    /\b(network\.host|security\.insecure|device) is not allowed/,
    'the Engine does not allow builds with $1',
  ],
  [
    /only supported in Dockerfile frontend/,
    'the Dockerfile requires a newer BuildKit than the Engine has',
  ],
  // How it is written.
  [/unterminated heredoc/, 'a heredoc of the Dockerfile has no end'],
  [
    /^failed to process "/,
    'the Dockerfile has a variable or a quoted text that is not written right',
  ],
  [
    /ENV must have two arguments|Syntax error - can't find = in/,
    'the Dockerfile has a variable or label that is not written as name=value',
  ],
  [
    /empty platform value from expression|is an invalid OS component of ""/,
    'a platform of the Dockerfile is empty: a build argument may be missing',
  ],
  [/stage name already used/, 'two stages of the Dockerfile have the same name'],
  [/cannot normalize nothing/, 'WORKDIR is empty: a variable may be missing'],
  [/invalid escape token/, 'the escape character of the Dockerfile is not valid'],
  [/parser directive can be used/, 'the Dockerfile has a parser directive twice'],
  [/dockerfile line greater than max/, 'the Dockerfile has a line that is too long'],
  [/lint violation found/, 'the Dockerfile breaks rules that it makes errors itself: check=error'],
  [/No image was generated/, 'the Dockerfile makes no image: it may be empty'],
  // Options of builds.
  [
    /network mode "[^"\n]{0,200}" not supported by buildkit/,
    'build.network: BuildKit knows only default, host and none',
  ],
  [/^unsupported isolation/, 'isolation: only default is available on Linux'],
]
