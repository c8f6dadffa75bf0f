import { partBefore } from '../part-before.ts'
import { sensitiveData } from '../publish/sensitive-data.ts'
import { listAt } from './fields.ts'
import type { ContainerInspection, Part } from './inspection.ts'
import { literal } from './literal.ts'
import { fitsVariableFile, isVariableName, type VariableFile } from './variable-file.ts'

/**
 * Returns the variables that a container has and its image does not, with dollar signs doubled.
 * Values that look like secrets go to `.env`, whose readers need more rights.
 *
 * @param showsValues whether the caller may read values. Without it, each is asked for by name
 */
export function environmentPart(
  { name: service, config, imageConfig }: ContainerInspection,
  showsValues: boolean,
  variables: VariableFile,
): Part {
  const usual = listAt(imageConfig, 'Env')
  const lines = listAt(config, 'Env')
  const names = new Set(lines.map(nameIn))
  const unset = usual.map(nameIn).filter((name) => !names.has(name))
  const own = lines.filter((line) => !usual.includes(line))
  const entries = own.flatMap((line): [string, string | null][] => {
    const name = nameIn(line)
    if (!line.includes('=')) return [[name, null]]
    if (!showsValues) {
      return isVariableName(name)
        ? [[name, `\${${variables.reserve(service, name)}:?set it in .env}`]]
        : []
    }
    return [[name, writtenValue({ service, name, value: line.slice(name.length + 1) }, variables)]]
  })
  const all = [...entries, ...unset.map((name): [string, null] => [name, null])]
  const hidden = showsValues ? [] : own.filter((line) => line.includes('=')).map(nameIn)
  return {
    fields: all.length > 0 ? { environment: Object.fromEntries(all) } : {},
    left: hidden.length > 0 ? [hiddenLine(hidden)] : [],
  }
}

const hiddenLine = (names: readonly string[]) =>
  `environment: the values of ${names.join(', ')} are not shown without the permission containers:secrets`

const nameIn = (line: string) => partBefore(line, '=')

interface Variable {
  service: string
  name: string
  value: string
}

function writtenValue({ service, name, value }: Variable, variables: VariableFile): string {
  const isKept = isVariableName(name) && fitsVariableFile(value) && looksSecret(name, value)
  return isKept ? `\${${variables.add(service, name, value)}}` : String(literal(value))
}

/** Words in the names of secrets. A name that ends in `_FILE` has a path. */
const secretName =
  /(?:PASS(?:WORD|WD|PHRASE)?|[A-Z]PWD|_PWD|SECRET|TOKEN|CREDENTIALS?|API_?KEY|(?:^|_)KEY)(?:_|$|\d)(?!FILE$)/i

/** An address with a password: `postgres://shop:secret@db/shop`. */
const secretAddress = /:\/\/[^/\s:@]*:[^/\s@]+@/

const looksSecret = (name: string, value: string): boolean =>
  value !== '' &&
  (secretName.test(name) || secretAddress.test(value) || sensitiveData(value).length > 0)
