import type { Client } from './api/client.ts'
import type { globalFlags } from './command-words.ts'
import type { Io } from './io.ts'
import type { Printer } from './output/print.ts'

/** `env-file` → `envFile`, the parser's name for a value. */
type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text

/** `-a, --all` → `all`; `--tail <lines>` → `tail`. */
type FlagName<Flag extends string> = Flag extends `${string}--${infer Rest}`
  ? Camel<Rest extends `${infer Name} <${string}` ? Name : Rest>
  : never

type FlagValue<Flag extends string> = Flag extends `${string}<...${string}`
  ? string[]
  : Flag extends `${string}<${string}`
    ? string | undefined
    : boolean

/** The values of flags, derived from the texts that declare them. */
export type FlagValues<Flags> = {
  [Flag in keyof Flags & string as FlagName<Flag>]: FlagValue<Flag>
}

type ArgValue<Word extends string> = Word extends `[...${infer Name}]`
  ? Record<Name, string[]>
  : Word extends `[${infer Name}]`
    ? Partial<Record<Name, string>>
    : Word extends `<...${infer Name}>`
      ? Record<Name, string[]>
      : Word extends `<${infer Name}>`
        ? Record<Name, string>
        : unknown

/** The values of arguments, derived from the text that declares them. */
export type ArgValues<Args extends string> = Args extends `${infer Word} ${infer Rest}`
  ? ArgValue<Word> & ArgValues<Rest>
  : ArgValue<Args>

export type GlobalValues = FlagValues<typeof globalFlags>

/**
 * What a command gets: its values, the streams, a printer, and the service, which is opened on
 * demand.
 */
export interface Call<Args extends string = string, Flags = Record<never, string>> {
  args: ArgValues<Args>
  flags: FlagValues<Flags> & GlobalValues
  io: Io
  print: Printer
  /** All commands, for those that speak of others. */
  commands: Commands
  /** Opens the REST API with the current credential. Throws a `CliFailure` if there is none. */
  client(): Promise<Client>
}

/** The facts of a command, besides the name and summary in the list of commands. */
export interface CommandSpec<Args extends string, Flags extends Record<string, string>> {
  /** For example `<name> [...services]`. */
  args?: Args
  /** For example `{ '-a, --all': 'Include stopped ones' }`. */
  flags?: Flags
  /** Further paragraphs of the help. */
  details?: string
  examples?: readonly string[]
  /** What errors call a field of the API whose flag or argument has another name. */
  fields?: Readonly<Record<string, string>>
  /**
   * Without its first argument, `<name>`, it takes the stack of the current directory, or of the
   * compose file that its flags name.
   */
  nameFromFolder?: true
  /**
   * Its `--host` moves or restores something to another host, so CLI_HOST does not stand for it.
   */
  explicitHost?: true
  /** It prints a list, and so has the flags of lists. */
  list?: true
  /** It takes a while, and so has the flag that says how to show progress. */
  progress?: true
  /** Everything after the required arguments belongs to the started command, flags included. */
  verbatim?: true
  /** Resolves with the exit code, or nothing for 0. */
  run(call: Call<Args, Flags>): Promise<void> | Promise<number>
}

/** A command of any arguments and flags: only the command knows the types of its values. */
export interface Command extends Omit<CommandSpec<string, Record<string, string>>, 'run'> {
  run(call: never): Promise<void> | Promise<number>
}

/** A command in the list of all. It is loaded when it is called. */
export interface ListedCommand {
  summary: string
  load: () => Promise<{ default: Command }>
}

/** Commands by the words that call them. */
export type Commands = Readonly<Record<string, ListedCommand>>

/** Makes a command. The types of the values that `run` gets follow from `args` and `flags`. */
export function command<
  const Args extends string = '',
  const Flags extends Record<string, string> = Record<never, string>,
>(spec: CommandSpec<Args, Flags>): Command {
  return spec
}
