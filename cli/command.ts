import type { Client } from './client.ts'
import type { Io } from './io.ts'
import type { Printer } from './print.ts'
import type { globalFlags } from './words.ts'

/** `env-file` → `envFile`, as the parser names values. */
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

/** The values of flags, by the texts that declare them. */
export type FlagValues<Flags> = {
  [Flag in keyof Flags & string as FlagName<Flag>]: FlagValue<Flag>
}

type ArgValue<Word extends string> = Word extends `[...${infer Name}]`
  ? Record<Name, string[]>
  : Word extends `[${infer Name}]`
    ? Partial<Record<Name, string>>
    : Word extends `<${infer Name}>`
      ? Record<Name, string>
      : unknown

/** The values of arguments, by the text that declares them. */
export type ArgValues<Args extends string> = Args extends `${infer Word} ${infer Rest}`
  ? ArgValue<Word> & ArgValues<Rest>
  : ArgValue<Args>

export type GlobalValues = FlagValues<typeof globalFlags>

/** What a command is given: its values, the streams, a way to show things and, opened when it asks, the service. */
export interface Call<Args extends string = string, Flags = Record<never, string>> {
  args: ArgValues<Args>
  flags: FlagValues<Flags> & GlobalValues
  io: Io
  print: Printer
  /** The REST API with the credential at hand; throws a `CliFailure` when there is none. */
  client(): Promise<Client>
}

/** The facts of a command besides its words and its summary, which stand in the list of commands. */
export interface CommandSpec<Args extends string, Flags extends Record<string, string>> {
  /** As in `<name> [...services]`. */
  args?: Args
  /** As in `{ '-a, --all': 'Include stopped ones' }`. */
  flags?: Flags
  /** Further paragraphs of the help. */
  details?: string
  examples?: readonly string[]
  /** From its first word on the command line is the command's own, flags too. */
  verbatim?: true
  /** Resolves with the exit code, when it is not simply done. */
  run(call: Call<Args, Flags>): Promise<void> | Promise<number>
}

/** A command as the list loads it. */
export type Command = CommandSpec<any, any>

/** Makes a command; the values that `run` is given follow from `args` and `flags`. */
export function command<
  const Args extends string = '',
  const Flags extends Record<string, string> = Record<never, string>,
>(spec: CommandSpec<Args, Flags>): Command {
  return spec
}
