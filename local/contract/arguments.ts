/** The store that the contract is run on. */
export interface ContractStore {
  endpoint: string
  region: string
}

export interface ContractOptions extends ContractStore {
  /** How many processes are killed while they write. */
  kills: number
}

/** Wrong arguments, with a message for the person who typed them. */
export class ArgumentError extends Error {}

export const usage = 'npm test -- contract --endpoint URL [--region NAME] [--kills N]'

const names = ['--endpoint', '--region', '--kills']

/**
 * Returns the options in the words after `contract`. Without `--region` it is the one in the name
 * of Amazon's endpoint, or `local`, which other stores accept. Without `--kills` it is 30.
 *
 * @throws ArgumentError if a word is unknown or a value is missing or wrong
 */
export function parseArguments(words: readonly string[]): ContractOptions {
  const given = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value] = words.slice(at, at + 2)
    if (!names.includes(name)) throw new ArgumentError(`${name} is unknown. Usage: ${usage}`)
    if (!value) throw new ArgumentError(`${name} needs a value. Usage: ${usage}`)
    given.set(name, value)
  }
  const endpoint = given.get('--endpoint')
  if (endpoint === undefined) throw new ArgumentError(`--endpoint is missing. Usage: ${usage}`)
  const { origin, hostname } = parseEndpoint(endpoint)
  const [, region = 'local'] = /^dynamodb\.([a-z0-9-]+)\.amazonaws\.com/.exec(hostname) ?? []
  const kills = given.get('--kills') ?? '30'
  if (!/^\d{1,5}$/.test(kills))
    throw new ArgumentError(`--kills is not a number from 0 to 99999: '${kills}'`)
  return { endpoint: origin, region: given.get('--region') ?? region, kills: Number(kills) }
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isStore =
    url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search
  if (!url || !isStore || url.username)
    throw new ArgumentError(
      `--endpoint is not the URL of a store: '${text}' (it is like http://127.0.0.1:8000, ` +
        'without a path and credentials)',
    )
  return url
}
