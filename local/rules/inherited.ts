import { codeOf } from './program-text.ts'
import { isTest, type Source } from './source.ts'

/** Places that may look for a name in a record: the file and the expression → the reason. */
export const mayInherit: Record<string, string> = {
  'adapters/docker/guarded.ts asyncIterator in': 'a symbol, which people cannot choose',
}

/** Records whose keys are names that people choose. */
const records = [
  ...['services', 'disabled_services', 'networks', 'volumes', 'secrets', 'configs', 'images'],
  ...['labels', 'environment', 'overlays', 'depends_on'],
]

/** `name in record`, but no loop and no type. */
const operator = /\b(?<!\b(?:const|let|var) )(?:(?<!\[)\w+|\w+[\])]+) in (?=[\w(])/g

/** `record[name]` that is read. Keys of labels are constants with names such as `label.project`. */
const read = new RegExp(
  `\\b(${records.join('|')})(?:\\?\\.)?\\[(?!\\w*[lL]abels?\\b)([a-z][\\w.]*)(?!\\w)[^\\]]*\\](?!\\s*=[^=>])`,
  'g',
)

/**
 * Returns where a program looks for a name in a record and may find a property that every object
 * inherits, such as `constructor`. Use a Map, `Object.hasOwn` or `ownEntry` instead.
 */
export function inheritedNames(sources: readonly Source[], allowed = mayInherit): string[] {
  const needed = new Set<string>()
  const found = sources.filter(isProgram).flatMap(({ path, text }) => {
    const code = codeOf(text)
    const uses = [
      ...[...code.matchAll(operator)].map(([use]) => use.trim()),
      ...[...code.matchAll(read)]
        .filter(([, record, name]) => !isChecked(code, `${record}, ${name}`))
        .map(([, record, name]) => `${record}[${name}]`),
    ]
    return uses.flatMap((use) => {
      const key = `${path} ${use}`
      needed.add(key)
      return Object.hasOwn(allowed, key) ? [] : [`${key}: may find an inherited property`]
    })
  })
  const unneeded = Object.keys(allowed).filter((key) => !needed.has(key))
  return [...new Set(found), ...unneeded.map((key) => `${key}: looks for no name`)]
}

const isProgram = ({ path }: Source) =>
  /^(functions|adapters|cli|web|packages)\//.test(path) && !isTest(path)

/** Returns whether a file checks a name with `Object.hasOwn(record, name)`. */
const isChecked = (code: string, pair: string) =>
  new RegExp(`Object\\.hasOwn\\((?:\\w+\\??\\.)*${pair.replaceAll('.', '\\.')}\\)`).test(code)
