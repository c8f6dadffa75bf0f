import { type SopsDocument, type SopsValue, tooManyValues, type UnreadFile } from './document.ts'

/** What names of variables begin with that sops adds. */
const prefix = 'sops_'

/**
 * Reads a file of variables. sops takes the lines as they are, with quotes and spaces.
 *
 * @param valuesMax a file with more values is not read
 */
export function dotenvDocument(text: string, valuesMax: number): SopsDocument | UnreadFile {
  const lines = text.split('\n')
  const metadata = new Map<string, string>()
  const values: SopsValue[] = []
  /** For each line: the place of its value, `kept` or `metadata`. */
  const places: (number | 'kept' | 'metadata')[] = []
  for (const [index, line] of lines.entries()) {
    const at = line.indexOf('=')
    if (line === '' || line.startsWith('#')) places.push('kept')
    else if (at < 0) return { problem: 'it is no variable', line: index + 1 }
    else if (line.startsWith(prefix)) {
      metadata.set(placeOf(line.slice(prefix.length, at)), unescaped(line.slice(at + 1)))
      places.push('metadata')
    } else {
      if (values.length === valuesMax) return tooManyValues(valuesMax, index + 1)
      const value = line.slice(at + 1)
      places.push(values.length)
      values.push({
        keys: [line.slice(0, at)],
        text: value,
        covered: unescaped(value),
        line: index + 1,
      })
    }
  }
  return {
    metadata,
    values,
    print: (plain) =>
      lines
        .flatMap((line, index) => {
          const place = places[index]
          if (place === 'metadata') return []
          const value = typeof place === 'number' ? plain[place] : undefined
          return value ? `${line.slice(0, line.indexOf('='))}=${escaped(value.text)}` : line
        })
        .join('\n'),
  }
}

/** Returns `age.0.enc` for `age__list_0__map_enc`. */
const placeOf = (name: string): string =>
  name.replaceAll(/__list_(\d+)__map_/g, '.$1.').replaceAll(/__list_(\d+)/g, '.$1')

const unescaped = (value: string): string => value.replaceAll('\\n', '\n')
const escaped = (value: string): string => value.replaceAll('\n', '\\n')
