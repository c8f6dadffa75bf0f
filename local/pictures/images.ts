import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Kind {
  /** What `image/play` prints. */
  plays: 'web' | 'database' | 'worker' | 'crash'
  /** Without it the image has no health check. */
  healthy?: boolean
  /** Its size, in MiB. */
  size: number
}

/** The images of the homelab. All of them are busybox with the script `image/play`. */
const images: Readonly<Record<string, Kind>> = {
  'adguard/adguardhome:v0.107.69': { plays: 'worker', healthy: true, size: 18 },
  'caddy:2.10': { plays: 'web', healthy: true, size: 12 },
  'codeberg/forgejo:13': { plays: 'web', size: 31 },
  'eclipse-mosquitto:2': { plays: 'worker', size: 4 },
  'grafana/grafana:12.3.0': { plays: 'web', healthy: true, size: 38 },
  'homeassistant/home-assistant:2026.11': { plays: 'web', healthy: true, size: 44 },
  'immich/machine-learning:v2.3.1': { plays: 'worker', size: 47 },
  'immich/server:v2.3.1': { plays: 'web', healthy: true, size: 42 },
  'immich/server:v2.4.0': { plays: 'web', healthy: true, size: 43 },
  'itzg/minecraft-server:java21': { plays: 'crash', size: 33 },
  'jellyfin/jellyfin:10.11': { plays: 'web', healthy: true, size: 40 },
  'koenkk/zigbee2mqtt:2.6': { plays: 'worker', size: 14 },
  'linuxserver/radarr:5.28': { plays: 'worker', size: 22 },
  'linuxserver/sonarr:4.0': { plays: 'worker', size: 21 },
  'nextcloud:32': { plays: 'web', healthy: false, size: 36 },
  'paperless/paperless-ngx:2.19': { plays: 'web', healthy: true, size: 35 },
  'postgres:17': { plays: 'database', healthy: true, size: 26 },
  'prom/node-exporter:v1.10.2': { plays: 'worker', size: 6 },
  'prom/prometheus:v3.7.3': { plays: 'worker', size: 29 },
  'syncthing/syncthing:2.0': { plays: 'worker', size: 11 },
  'uptime-kuma:2': { plays: 'web', size: 24 },
  'valkey:9': { plays: 'worker', healthy: true, size: 9 },
  'vaultwarden/server:1.34.3': { plays: 'web', healthy: true, size: 16 },
}

const script = fileURLToPath(new URL('image/play', import.meta.url))

/** Builds the images on an Engine that has `busybox:latest`, those of `names` or all of them. */
export function buildImages(env: { DOCKER_HOST: string }, names = Object.keys(images)): void {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-pictures-'))
  try {
    copyFileSync(script, join(directory, 'play'))
    for (const name of names) {
      const kind = images[name]
      if (!kind) throw new Error(`no image ${name}`)
      writeFileSync(join(directory, 'data'), randomBytes(kind.size * 1024 * 1024))
      writeFileSync(join(directory, 'Dockerfile'), dockerfileOf(kind))
      execFileSync('docker', ['build', '-q', '-t', name, directory], {
        env: { ...process.env, ...env, DOCKER_BUILDKIT: '0' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const dockerfileOf = ({ plays, healthy }: Kind) =>
  [
    'FROM busybox:latest',
    'COPY play /bin/play',
    'COPY data /opt/data',
    healthy !== undefined && `HEALTHCHECK --interval=3s --retries=1 CMD ${healthy}`,
    `CMD ["sh", "/bin/play", "${plays}"]`,
  ]
    .filter(Boolean)
    .join('\n')
