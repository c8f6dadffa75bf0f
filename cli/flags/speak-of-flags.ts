import { CliFailure } from '../failure.ts'

/** The arguments and flags that a command declares. */
export interface Declared {
  args?: string
  flags?: Readonly<Record<string, string>>
  /** What to call a field of the API, or a path to one, whose flag or argument has another name. */
  fields?: Readonly<Record<string, string>>
}

/**
 * Returns a failure in the words of the command line instead of those of the service: `query.tail`
 * becomes `--tail`, `path.name` becomes `<name>`. Fields without a flag lose `body.` or `query.`.
 * Returns other errors unchanged.
 */
export function speakOfFlags(error: unknown, declared: Declared): unknown {
  if (!(error instanceof CliFailure)) return error
  const message = error.message
    .replace(fieldPath, (_, __, steps: string) => nameOf(steps.split('.').slice(1), declared))
    .replace(/`([a-z]+(?:_[a-z]+)*)(?:: ([a-z]+))?`/g, (all, field: string, value?: string) => {
      const flag = flagOf(field, declared)
      return flag ? `${flag}${value ? ` ${value}` : ''}` : all
    })
  return error.reworded({ message })
}

/** A field at the beginning of a problem, such as `body.sources[0].name:`. */
const fieldPath = /(?<=^|; )(body|query|path)((?:\.[A-Za-z][\w-]*(?:\[\d+\])*)+)(?=:)/g

/** Returns the flag or argument of the path, or of its first step that has one. */
function nameOf(steps: readonly string[], declared: Declared): string {
  const plain = steps.map((step) => step.replace(/(\[\d+\])+$/, ''))
  const whole = ownField(plain.join('.'), declared)
  if (whole) return whole
  for (const step of plain) {
    const known = ownField(step, declared) ?? flagOf(step, declared) ?? argumentOf(step, declared)
    if (known) return known
  }
  return steps.join('.')
}

const ownField = (name: string, { fields = {} }: Declared): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

function flagOf(field: string, { flags = {} }: Declared): string | undefined {
  const names = new Set(Object.keys(flags).map((flag) => /--[\w-]+/.exec(flag)?.[0] ?? ''))
  const kebab = `--${field.replaceAll('_', '-')}`
  return [kebab, kebab.replace(/s$/, '')].find((name) => names.has(name))
}

function argumentOf(field: string, { args = '' }: Declared): string | undefined {
  return args.split(' ').find((word) => word.replace(/[^\w]/g, '') === field)
}
