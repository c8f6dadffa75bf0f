/** How a command is run in a container. */
export interface ExecOptions {
  /** The program and its arguments. */
  command: string[]
  /** With a terminal: one stream of output, and Ctrl-C is a key. */
  tty: boolean
  /** `name`, `uid`, either with `:group`; the container's own unless given. */
  user?: string
  /** An absolute path; the container's own unless given. */
  workdir?: string
  /** Of the terminal. */
  size?: TerminalSize
}

/** In characters. */
export interface TerminalSize {
  columns: number
  rows: number
}

/** A piece of what a command wrote. With a terminal all is `stdout`. */
export interface ExecOutput {
  stream: 'stdout' | 'stderr'
  data: Uint8Array
}

/** A command that was started in a container. */
export interface ExecSession {
  /**
   * What it writes, until it has ended. What is not asked for is not read. Throws the reason of the signal that the
   * session was made with.
   */
  readonly output: AsyncIterable<ExecOutput>
  /** Resolves when the command has room for more, or takes nothing any more. */
  write(data: Uint8Array): Promise<void>
  /** Ends its input; what it writes goes on. */
  endInput(): void
  /** Tells its terminal the size; a command that has ended has none, and that is fine. */
  resize(size: TerminalSize): Promise<void>
  /** How it ended, once its output has: null when the container was removed. Throws a `Failure` 500 when it still runs. */
  exitCode(): Promise<number | null>
  /**
   * Ends the command as a terminal does that is hung up: its input is closed, after Ctrl-C and Ctrl-D where there is a
   * terminal, then its processes get SIGHUP, and SIGKILL a second later, where the container has a shell to do that.
   * Gives what of it still runs, each as its process id in the container and its name.
   */
  hangUp(): Promise<string[]>
}
