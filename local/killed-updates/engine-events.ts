import { spawn } from 'node:child_process'
import { boundToParent } from '../harness/bound-process.ts'
import { until } from '../harness/service.ts'

/** Something that happened on the Engine to a container or volume. */
export interface EngineEvent {
  kind: string
  action: string
  /** The name of a volume; the project of a container. */
  of: string
}

/** Follows what the Engine does to the volumes of a prefix, and to the containers of a project. */
export function followEngine(project: string) {
  const words = ['events', '--filter', 'type=volume', '--filter', 'type=container']
  const child = spawn(...boundToParent('docker', [...words, '--format', '{{json .}}']))
  const events: EngineEvent[] = []
  let next = 0
  let rest = ''
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    events.push(...lines.map(parse).filter(({ of }) => of.startsWith(project)))
  })
  return {
    /** Waits for the next event that is wanted, and skips those before it. */
    async wait(isWanted: (event: EngineEvent) => boolean): Promise<void> {
      const find = async () => events.findIndex((one, index) => index >= next && isWanted(one))
      next = 1 + (await until(find, (index) => index >= 0))
    },
    /** Forgets what happened up to now. */
    skip() {
      next = events.length
    },
    stop: () => child.kill(),
  }
}

function parse(line: string): EngineEvent {
  const { Type, Action, Actor } = JSON.parse(line)
  const of = Type === 'volume' ? Actor.ID : Actor.Attributes['com.docker.compose.project']
  return { kind: Type, action: Action, of: of ?? '' }
}
