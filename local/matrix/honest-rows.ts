/** What an operator does with a stack or a container. */
export type Use =
  | 'restart'
  | 'logs'
  | 'exec'
  | 'copy out'
  | 'copy in'
  | 'backup'
  | 'restore'
  | 'deploy'

/** The entries of a setting that allow a use. */
interface Needed {
  setting: 'stacks.shared_volumes' | 'stacks.shared_networks' | 'stacks.enterable_binds'
  entries: string[]
}

/**
 * How a use ends.
 *
 * - `allowed`;
 * - `always refused`: 403, as ever: the compose file reaches outside of its stack;
 * - `control`: 403, because the container controls its host; no setting allows it;
 * - `Needed`: 403 until a setting allows it.
 */
export type End = 'allowed' | 'always refused' | 'control' | Needed

/** How the uses of a stack or container end that do not always end well. */
interface Ends {
  /** `exec`, and copies out and in. */
  enter: End
  backup: End
  restore: End
  /** Undefined for a container that no stack owns. */
  deploy?: End
}

/** Something that people run at home. */
export interface Honest {
  /** As docs/upgrading.md calls it. */
  what: string
  /** Stacks that an admin deployed: name → compose file. */
  stacks?: Record<string, string>
  /** The containers, of the stacks or run by hand. */
  containers: string[]
  /** The options of a container that was run by hand. */
  hostConfig?: { Binds: string[] }
  /** Made by hand before, or of a project that was run by hand: `<project>_<key>`. */
  networks?: string[]
  volumes?: string[]
  /** In a new installation, whose settings list nothing. */
  fresh: Ends
  /** On the same data, after an upgrade from a version that asked for none of it. */
  upgraded: Ends
}

/** The compose file of one service `web`. */
const web = (attributes: string, more = '') =>
  `services: {web: {image: "busybox:latest", command: sleep 60, ${attributes}}}\n${more}`

const entries = (...listed: string[]): Needed => ({
  setting: 'stacks.enterable_binds',
  entries: listed,
})
const volume = (name: string): Needed => ({ setting: 'stacks.shared_volumes', entries: [name] })
const network = (name: string): Needed => ({ setting: 'stacks.shared_networks', entries: [name] })

const allowed: Ends = { enter: 'allowed', backup: 'allowed', restore: 'allowed', deploy: 'allowed' }
/** A stack that reaches outside of its directory: only an admin deploys it, as ever. */
const ofAdmin: Ends = { ...allowed, restore: 'always refused', deploy: 'always refused' }
/** A container that was run by hand, and its volume. */
const byHand = (enter: End, name: string): Ends => ({
  enter,
  backup: volume(name),
  restore: volume(name),
})

const vpn = `services:
  vpn:
    image: busybox:latest
    command: sleep 60
    cap_add: [NET_ADMIN]
    devices: ["/dev/net/tun:/dev/net/tun"]
  torrent:
    image: busybox:latest
    command: sleep 60
    network_mode: service:vpn
    volumes: ["files:/files"]
  search: {image: "busybox:latest", command: sleep 60, network_mode: "service:vpn"}
volumes: {files: {}}
`

/** A stack behind the proxy that was run by hand. */
const behindProxy = (service: string) => `services:
  ${service}:
    image: busybox:latest
    command: sleep 60
    volumes: ["data:/data"]
    networks: [default, proxy]
volumes: {data: {}}
networks: {proxy: {external: true, name: proxy_default}}
`
const services = { wiki: 'app', notes: 'app', photos: 'gallery', tasks: 'tasks', mail: 'web' }

export const rows: Honest[] = [
  {
    what: '`/etc/localtime`, read-only',
    stacks: {
      clock: web(
        'volumes: ["/etc/localtime:/etc/localtime:ro", "data:/data"]',
        'volumes: {data: {}}',
      ),
    },
    containers: ['clock-web-1'],
    fresh: ofAdmin,
    upgraded: ofAdmin,
  },
  {
    what: 'a VPN with two riders (`network_mode: service:vpn`)',
    stacks: { vpn },
    containers: ['vpn-vpn-1', 'vpn-torrent-1', 'vpn-search-1'],
    fresh: { ...ofAdmin, enter: entries('/dev/net/tun', 'cap_add:NET_ADMIN') },
    upgraded: ofAdmin,
  },
  {
    what: 'media folders and `/dev/dri`',
    stacks: {
      media: web(
        'volumes: ["/mnt/media:/media", "conf:/config"], devices: ["/dev/dri:/dev/dri"]',
        'volumes: {conf: {}}',
      ),
    },
    containers: ['media-web-1'],
    fresh: { ...ofAdmin, enter: entries('/mnt/media', '/dev/dri') },
    upgraded: ofAdmin,
  },
  {
    what: '`network_mode: host`',
    stacks: { home: web('network_mode: host, volumes: ["./config:/config"]') },
    containers: ['home-web-1'],
    fresh: { ...ofAdmin, enter: entries('network_mode:host') },
    upgraded: ofAdmin,
  },
  {
    what: 'a proxy with the Engine’s socket',
    stacks: {
      traefik: web('volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]'),
    },
    containers: ['traefik-web-1'],
    fresh: { ...ofAdmin, enter: 'control' },
    upgraded: { ...ofAdmin, enter: 'control' },
  },
  {
    what: 'five stacks in a `proxy_default` that was run by hand, two with a service `app`',
    stacks: Object.fromEntries(
      Object.entries(services).map(([stack, service]) => [stack, behindProxy(service)]),
    ),
    containers: Object.entries(services).map(([stack, service]) => `${stack}-${service}-1`),
    networks: ['proxy_default'],
    fresh: { ...allowed, restore: network('proxy_default'), deploy: network('proxy_default') },
    upgraded: allowed,
  },
  {
    what: 'a stack with a volume that was made by hand, `films`',
    stacks: {
      cinema: web('volumes: ["films:/films"]', 'volumes: {films: {external: true, name: films}}'),
    },
    containers: ['cinema-web-1'],
    volumes: ['films'],
    fresh: { ...byHand(entries('volume:films'), 'films'), deploy: volume('films') },
    upgraded: allowed,
  },
  {
    what: 'another manager, run by hand, with the Engine’s socket',
    containers: ['portainer'],
    hostConfig: { Binds: ['/var/run/docker.sock:/var/run/docker.sock', 'portainer_data:/data'] },
    volumes: ['portainer_data'],
    fresh: byHand('control', 'portainer_data'),
    upgraded: byHand('control', 'portainer_data'),
  },
  {
    what: 'a media server, run by hand',
    containers: ['jellyfin'],
    hostConfig: { Binds: ['/mnt/films:/films:ro', 'jellyfin_config:/config'] },
    volumes: ['jellyfin_config'],
    fresh: byHand(entries('/mnt/films'), 'jellyfin_config'),
    upgraded: byHand('allowed', 'jellyfin_config'),
  },
]

/** Returns how each use ends. */
export function endsOf({ enter, backup, restore, deploy }: Ends): Partial<Record<Use, End>> {
  const entering = { exec: enter, 'copy out': enter, 'copy in': enter }
  const ends = { restart: 'allowed', logs: 'allowed', ...entering, backup, restore } as const
  return { ...ends, ...(deploy && { deploy }) }
}

/**
 * Returns the table of docs/upgrading.md: what an operator could do before and needs something for
 * now.
 */
export function honestTable(): string {
  const head =
    '| on the host | an operator | new installation | upgraded | needs |\n|---|---|---|---|---|'
  return [head, ...rows.flatMap(linesOf)].join('\n')
}

function linesOf({ what, fresh, upgraded }: Honest): string[] {
  const after = endsOf(upgraded)
  const lines = new Map<string, Use[]>()
  for (const [use, end] of Object.entries(endsOf(fresh)) as [Use, End][]) {
    const needs = needsOf(end)
    if (needs === undefined) continue
    const now = after[use] === 'allowed' ? 'as before' : '403'
    const cells = `403 | ${now} | ${needs}`
    lines.set(cells, [...(lines.get(cells) ?? []), use])
  }
  return [...lines].map(([cells, done]) => `| ${what} | ${done.join(', ')} | ${cells} |`)
}

/** Returns undefined for what did not change. */
function needsOf(end: End): string | undefined {
  if (end === 'control') return '`stacks:privileged`'
  if (typeof end === 'string') return undefined
  return `\`${end.setting}\`: ${end.entries.map((one) => `\`${one}\``).join(', ')}`
}
