import { siteUrl } from './link-url.ts'
import { ruleMatches } from './traefik-rule.ts'

type Labels = Readonly<Record<string, string>>

/** A router as the labels define it. */
interface Router {
  rule?: string
  entryPoints: string[]
  tls: boolean
}

const routersMax = 50
const attribute = /^traefik\.http\.routers\.([^.]+)\.(rule|entrypoints|tls)(\..+)?$/

/** Returns the URLs at which Traefik serves a container with these labels. */
export function traefikLinks(labels: Labels): string[] {
  const routers = new Map<string, Router>()
  for (const [key, value] of Object.entries(labels)) {
    // Traefik ignores the case of its labels.
    const name = key.toLowerCase()
    if (name === 'traefik.enable' && /^(?:false|f|0)$/i.test(value.trim())) return []
    const [, router, what, more] = attribute.exec(name) ?? []
    if (router === undefined) continue
    const known = routers.get(router) ?? { entryPoints: [], tls: false }
    if (!routers.has(router) && routers.size < routersMax) routers.set(router, known)
    if (what === 'rule') known.rule = value
    if (what === 'entrypoints') known.entryPoints = value.toLowerCase().split(/[\s,]+/)
    if (what === 'tls') known.tls ||= more !== undefined || /^(?:true|t|1)$/i.test(value.trim())
  }
  return withoutRedirects([...routers.values()].flatMap(routerLinks))
}

const secureEntryPoints = ['websecure', 'https']

function routerLinks({ rule = '', entryPoints, tls }: Router): string[] {
  const isSecure = tls || entryPoints.some((name) => secureEntryPoints.includes(name))
  const scheme = isSecure ? 'https' : 'http'
  return ruleMatches(rule).flatMap(({ host, path }) =>
    host === undefined ? [] : (siteUrl({ scheme, host, path }) ?? []),
  )
}

/** Drops http URLs that https serves too. Such a router redirects. */
function withoutRedirects(links: string[]): string[] {
  const all = new Set(links)
  return links.filter((link) => !all.has(link.replace(/^http:/, 'https:')) || /^https:/.test(link))
}
