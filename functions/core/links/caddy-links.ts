import { type Site, siteUrl } from './link-url.ts'

const sitesMax = 50

/**
 * Returns the URLs of the sites that the labels of a container define for Caddy: `caddy`,
 * `caddy_0`, `caddy_1` and so on have site addresses, separated by blanks or commas.
 */
export function caddyLinks(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels)
    .filter(([key]) => /^caddy(?:_\d{1,4})?$/.test(key))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, value]) => value.split(/[\s,]+/).slice(0, sitesMax))
    .slice(0, sitesMax)
    .flatMap((address) => siteOf(address) ?? [])
}

const form = /^(?:(https?):\/\/)?([^/:[\]{}()*@]+|\[[^\]]*\])(?::(\d{1,5}))?(\/[^*{}]*)?$/i

/** Returns the URL of a site address; undefined for a snippet, a wildcard or a port of any host. */
function siteOf(address: string): string | undefined {
  const [, scheme, host, digits, path] = form.exec(address) ?? []
  if (host === undefined) return undefined
  const port = digits === undefined ? undefined : Number(digits)
  // Caddy uses https unless the address asks for http by its scheme or port.
  const isPlain = scheme === undefined ? port === 80 : scheme.toLowerCase() === 'http'
  const site: Site = { scheme: isPlain ? 'http' : 'https', host, port, path }
  return siteUrl(site)
}
