/** Returns a map of values to roles as lines: `admins = admin`. */
export const linesOfMap = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([value, role]) => `${value} = ${role}`)
    .join('\n')

/** Returns the map of such lines. A value may contain `=`; the role is behind the last one. */
export const mapOfLines = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line): [string, string] => {
        const at = line.lastIndexOf('=')
        return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]
      })
      .filter(([value, role]) => value !== '' && role !== ''),
  )
