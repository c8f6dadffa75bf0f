/** The containers, their events and their logs of an Engine with much to show. */

const composeLabels = 'com.docker.compose'
/** Services of each stack. */
const services = 20

interface Crowded {
  id: string
  name: string
  stack: string
  service: string
  isRunning: boolean
}

const image = 'registry.example/shop/service:1.29.4-bookworm'
const imageId = `sha256:${'0123456789abcdef'.repeat(4)}`
const created = Math.floor(Date.now() / 1000) - 86_400

/** Returns the name of a stack of the crowd. */
export const stackName = (number: number) => `shop-${String(number).padStart(2, '0')}`

/** Returns the id of a container of the crowd. */
export const crowdId = (index: number) => `c0ffee${index.toString(16).padStart(58, '0')}`

/** Returns containers in stacks of twenty services, most of which run. */
export const crowdOf = (count: number): Crowded[] =>
  Array.from({ length: count }, (_, index) => {
    const stack = stackName(Math.floor(index / services))
    const service = `service-${String(index % services).padStart(2, '0')}`
    const name = `${stack}-${service}-1`
    return { id: crowdId(index), name, stack, service, isRunning: index % 10 !== 9 }
  })

const labelsOf = ({ stack, service }: Crowded) => ({
  [`${composeLabels}.project`]: stack,
  [`${composeLabels}.service`]: service,
  [`${composeLabels}.container-number`]: '1',
  [`${composeLabels}.oneoff`]: 'False',
  [`${composeLabels}.image`]: imageId,
  [`${composeLabels}.project.working_dir`]: `/srv/stacks/${stack}`,
  'org.opencontainers.image.source': 'https://git.example/shop/service',
})

/** Returns an entry of the Engine's list of containers. */
export const listed = (one: Crowded) => ({
  Id: one.id,
  Names: [`/${one.name}`],
  Image: image,
  ImageID: imageId,
  Created: created,
  Command: '/docker-entrypoint.sh server',
  Labels: labelsOf(one),
  Mounts: [],
  State: one.isRunning ? 'running' : 'exited',
  Status: one.isRunning ? 'Up 24 hours (healthy)' : 'Exited (1) 2 hours ago',
  Ports: [
    { IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
    { IP: '::', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
  ],
  HostConfig: { NetworkMode: `${one.stack}_default` },
  NetworkSettings: { Networks: {} },
})

/** Returns the inspection of a container. */
export const inspected = (one: Crowded) => ({
  Id: one.id,
  Name: `/${one.name}`,
  Image: imageId,
  RestartCount: 0,
  Mounts: [],
  Created: new Date(created * 1000).toISOString(),
  Config: { Image: image, Labels: labelsOf(one), Env: [], Cmd: ['server'], Tty: false },
  State: {
    Status: one.isRunning ? 'running' : 'exited',
    Running: one.isRunning,
    ExitCode: 0,
    StartedAt: new Date(created * 1000).toISOString(),
    FinishedAt: '',
  },
  HostConfig: { RestartPolicy: { Name: 'always' } },
  NetworkSettings: { Networks: {} },
})

/** Stops a container that runs and starts one that does not. Returns the Engine's event. */
export function toggleContainer(one: Crowded) {
  one.isRunning = !one.isRunning
  const now = Date.now()
  return {
    Type: 'container',
    Action: one.isRunning ? 'start' : 'die',
    Actor: {
      ID: one.id,
      Attributes: { name: one.name, image, exitCode: '1', ...labelsOf(one) },
    },
    time: Math.floor(now / 1000),
    // Events of the same millisecond differ, as the Engine's do.
    timeNano: now * 1e6 + Math.floor(Math.random() * 1e6),
  }
}

let written = 0

/** Returns lines of an access log as the Engine frames them. */
export function framedLines(count: number): Buffer {
  const time = new Date().toISOString().replace('Z', '')
  const frames = Array.from({ length: count }, (_, index) => {
    written += 1
    const level = written % 50 === 0 ? '\u001b[31mERROR\u001b[0m' : '\u001b[32mINFO\u001b[0m'
    const text = `${level} GET /api/items/${written}?page=2 200 ${written % 97} ms 10.0.3.17`
    const line = Buffer.from(`${time}${String(index % 1e6).padStart(6, '0')}Z ${text}\n`)
    const head = Buffer.alloc(8)
    head[0] = 1
    head.writeUInt32BE(line.length, 4)
    return Buffer.concat([head, line])
  })
  return Buffer.concat(frames)
}
