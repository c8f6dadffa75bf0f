import { ownEntry } from '../../compose/lookup.ts'
import type { Port } from '../../compose/snapshot.ts'
import { caddyLinks } from './caddy-links.ts'
import { linkUrl } from './link-url.ts'
import { portLinks } from './port-links.ts'
import { traefikLinks } from './traefik-links.ts'

/** The label with the URLs of a service, separated by blanks. They replace all others. */
export const urlLabel = 'container-stacks.url'

/** The maximum number of links of a container. */
export const linksMax = 20

/** The sources of a container's links. */
export interface LinkSources {
  ports: readonly Port[]
  /** Without the labels that the container has from its image. */
  labels: Readonly<Record<string, string>>
  /** The name or address of the host; null if it is unknown. */
  address: string | null
}

/**
 * Returns the URLs at which users reach a container: those of its label, else the sites that
 * Traefik and Caddy serve for it and its published ports.
 */
export function containerLinks({ ports, labels, address }: LinkSources): string[] {
  const own = ownEntry(labels, urlLabel)
  const links =
    own === undefined
      ? [...traefikLinks(labels), ...caddyLinks(labels), ...portLinks(ports, address)]
      : ownLinks(own)
  return [...new Set(links)].slice(0, linksMax)
}

const ownLinks = (text: string): string[] =>
  text
    .slice(0, 20_000)
    .split(/\s+|,(?=https?:\/\/)/i)
    .flatMap((url) => linkUrl(url.endsWith(',') ? url.slice(0, -1) : url) ?? [])

/** Returns the labels that links follow from. */
export const linkLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => isLinkLabel.test(key)))

const isLinkLabel =
  /^(?:container-stacks\.url|caddy(?:_\d{1,4})?|traefik\.(?:enable|http\.routers\..+))$/i
