/** How to run a command in a container. */
export interface ExecOptions {
  /** The program and its arguments. */
  command: string[]
  /** Allocates a terminal: there is one stream of output, and Ctrl-C interrupts the command. */
  tty: boolean
  /** A name or uid, optionally with `:group`. Default: the user of the container. */
  user?: string
  /** An absolute path. Default: the working directory of the container. */
  workdir?: string
  /** The size of the terminal. */
  size?: TerminalSize
}

/** In characters. */
export interface TerminalSize {
  columns: number
  rows: number
}

/** A chunk of a command's output. With a terminal all output is `stdout`. */
export interface ExecOutput {
  stream: 'stdout' | 'stderr'
  data: Uint8Array
}

/** A command that was started in a container. */
export interface ExecSession {
  /**
   * The output until the command ends. It is read only as fast as it is consumed. Throws the reason
   * of the session's signal once that is aborted.
   */
  readonly output: AsyncIterable<ExecOutput>
  /**
   * Writes to the command's input. Resolves when the command has room for more, or no longer takes
   * input.
   */
  write(data: Uint8Array): Promise<void>
  /** Closes the input; the output continues. */
  endInput(): void
  /** Sets the size of the terminal. Does nothing if the command has ended. */
  resize(size: TerminalSize): Promise<void>
  /**
   * Returns the exit code once the output has ended, or null if the container was removed.
   *
   * @throws 500 if the command still runs
   */
  exitCode(): Promise<number | null>
  /**
   * Ends the command as the hang-up of a terminal does: with a terminal it sends Ctrl-C and Ctrl-D,
   * then closes the input, sends SIGHUP to the processes and SIGKILL a second later. The signals
   * need a shell in the container.
   *
   * Returns the processes that still run, each as its process id in the container and its name.
   */
  hangUp(): Promise<string[]>
}

/** The input and output of the main process of a container. */
export type AttachedContainer = Pick<ExecSession, 'output' | 'write' | 'endInput' | 'resize'>
