/** A stack of the homelab. */
export interface HomelabStack {
  name: string
  /** The host by its name, or the local host. */
  host?: 'nas'
  compose: string
  env?: string
}

interface Service {
  image: string
  port?: string
  /** The address of its page. */
  url?: string
  volumes?: string[]
  environment?: Record<string, string>
  after?: string[]
}

/** Returns a compose file as people write it. */
function composeOf(services: Record<string, Service>): string {
  const lines = Object.entries(services).flatMap(([name, service]) => [
    `  ${name}:`,
    `    image: ${service.image}`,
    '    restart: unless-stopped',
    ...listOf('environment', entriesOf(service.environment)),
    ...listOf('ports', service.port ? [`- "${service.port}"`] : []),
    ...listOf(
      'volumes',
      (service.volumes ?? []).map((one) => `- ${one}`),
    ),
    ...listOf(
      'depends_on',
      (service.after ?? []).map((one) => `- ${one}`),
    ),
    ...listOf('labels', service.url ? [`container-stacks.url: ${service.url}`] : []),
  ])
  const named = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0] ?? ''))
    .filter((one) => /^\w/.test(one))
  return ['services:', ...lines, ...volumesOf([...new Set(named)])].join('\n').concat('\n')
}

const entriesOf = (values: Record<string, string> = {}) =>
  Object.entries(values).map(([key, value]) => `${key}: ${value}`)
const listOf = (key: string, items: string[]) =>
  items.length === 0 ? [] : [`    ${key}:`, ...items.map((item) => `      ${item}`)]
const volumesOf = (names: string[]) =>
  names.length === 0 ? [] : ['volumes:', ...names.map((name) => `  ${name}:`)]

const database = (user: string) => ({
  image: 'postgres:17',
  environment: { POSTGRES_USER: user, POSTGRES_PASSWORD: `\${DB_PASSWORD}` },
  volumes: ['database:/var/lib/postgresql/data'],
})
const env = 'DB_PASSWORD=correct-horse-battery\nTZ=Europe/Berlin\n'

/** Returns the stack whose pictures are taken: as deployed, or with an upgrade of its server. */
export function photos(version: string, more: Record<string, string> = {}): string {
  return composeOf({
    server: {
      image: `immich/server:${version}`,
      environment: { TZ: `\${TZ}`, ...more },
      port: '2283:2283',
      volumes: ['library:/data'],
      after: ['database', 'redis'],
      url: 'https://photos.home.example',
    },
    'machine-learning': {
      image: 'immich/machine-learning:v2.3.1',
      volumes: ['models:/cache'],
    },
    database: database('immich'),
    redis: { image: 'valkey:9' },
  })
}

const plain = (image: string, port?: string, volume = 'data:/data'): Service => ({
  image,
  ...(port && { port }),
  volumes: [volume],
})

export const stacks: readonly HomelabStack[] = [
  { name: 'photos', compose: photos('v2.3.1'), env },
  {
    name: 'media',
    host: 'nas',
    compose: composeOf({
      jellyfin: {
        ...plain('jellyfin/jellyfin:10.11', '8096:8096', 'config:/config'),
        url: 'https://media.home.example',
      },
      radarr: plain('linuxserver/radarr:5.28', '7878:7878', 'radarr:/config'),
      sonarr: plain('linuxserver/sonarr:4.0', '8989:8989', 'sonarr:/config'),
    }),
  },
  {
    name: 'paperless',
    env,
    compose: composeOf({
      webserver: { ...plain('paperless/paperless-ngx:2.19', '8000:8000'), after: ['database'] },
      broker: { image: 'valkey:9' },
      database: database('paperless'),
    }),
  },
  {
    name: 'home-assistant',
    compose: composeOf({
      homeassistant: plain('homeassistant/home-assistant:2026.11', '8123:8123', 'config:/config'),
      mosquitto: plain('eclipse-mosquitto:2', '1883:1883'),
      zigbee2mqtt: plain('koenkk/zigbee2mqtt:2.6', '8081:8080', 'zigbee:/app/data'),
    }),
  },
  {
    name: 'nextcloud',
    env,
    compose: composeOf({
      app: { ...plain('nextcloud:32', '8082:80', 'html:/var/www/html'), after: ['database'] },
      database: database('nextcloud'),
    }),
  },
  {
    name: 'monitoring',
    compose: composeOf({
      prometheus: plain('prom/prometheus:v3.7.3', '9090:9090', 'metrics:/prometheus'),
      grafana: plain('grafana/grafana:12.3.0', '3000:3000', 'grafana:/var/lib/grafana'),
      'node-exporter': { image: 'prom/node-exporter:v1.10.2' },
    }),
  },
  {
    name: 'git',
    env,
    compose: composeOf({
      forgejo: { ...plain('codeberg/forgejo:13', '3001:3000'), after: ['database'] },
      database: database('forgejo'),
    }),
  },
  { name: 'proxy', compose: composeOf({ caddy: plain('caddy:2.10', '80:80') }) },
  { name: 'dns', compose: composeOf({ adguard: plain('adguard/adguardhome:v0.107.69', '53:53') }) },
  {
    name: 'vaultwarden',
    compose: composeOf({ vaultwarden: plain('vaultwarden/server:1.34.3', '8083:80') }),
  },
  {
    name: 'uptime',
    compose: composeOf({ 'uptime-kuma': plain('uptime-kuma:2', '3002:3001') }),
  },
  {
    name: 'syncthing',
    host: 'nas',
    compose: composeOf({ syncthing: plain('syncthing/syncthing:2.0', '8384:8384') }),
  },
  {
    name: 'minecraft',
    host: 'nas',
    compose: composeOf({ server: plain('itzg/minecraft-server:java21', '25565:25565') }),
  },
]
