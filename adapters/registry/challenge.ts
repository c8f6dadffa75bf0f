/** The authorization that a registry asks for. */
export type Challenge =
  | { scheme: 'basic' }
  | { scheme: 'bearer'; realm: string; service: string | undefined }

const parameter = /([a-z_]{1,32})="((?:[^"\\]|\\.){0,2048})"/gi

/** Parses a WWW-Authenticate header. Returns undefined if its scheme is unknown. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*(basic|bearer)\b(.{0,4096})/is.exec(header ?? '') ?? []
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' }
  const parameters = new Map(
    [...rest.matchAll(parameter)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value.replace(/\\(.)/g, '$1'),
    ]),
  )
  const realm = parameters.get('realm')
  if (scheme === '' || realm === undefined) return undefined
  return { scheme: 'bearer', realm, service: parameters.get('service') }
}
