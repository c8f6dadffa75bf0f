import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'

/** Everything of a project that the Engine shows. */
export interface ObservedProject {
  /** By service and number: `web-1`. */
  containers: Record<string, Json>
  networks: string[]
  volumes: string[]
  /** The names of the images that it built. */
  images: string[]
}

const linesOf = async (...words: string[]) =>
  (await askDocker(...words)).split('\n').filter(Boolean)

/** Reads a project from the Engine. Names come without the name of the project. */
export async function observeProject(project: string): Promise<ObservedProject> {
  const label = `label=com.docker.compose.project=${project}`
  const named = (kind: string) =>
    linesOf(kind, 'ls', '--format', '{{.Name}}', '--filter', label).then((names) =>
      names.map((name) => name.replace(`${project}_`, '')).sort(),
    )
  const ids = await linesOf('ps', '-aq', '--no-trunc', '--filter', label)
  const [found, networks, volumes, images] = await Promise.all([
    ids.length > 0 ? askDocker('inspect', ...ids).then(JSON.parse) : [],
    named('network'),
    named('volume'),
    linesOf('images', '--format', '{{.Repository}}', '--filter', `reference=${project}-*`),
  ])
  const containers = Object.fromEntries(
    (found as Json[]).map((one) => [
      `${one.Config.Labels['com.docker.compose.service']}-${one.Config.Labels['com.docker.compose.container-number']}`,
      one,
    ]),
  )
  return {
    containers,
    networks,
    volumes,
    images: images.map((name) => name.replace(`${project}-`, '')).sort(),
  }
}

/**
 * Returns what a step did to a project, in words that are the same for two projects with the same
 * files.
 */
export function changesOf(project: string, before: ObservedProject, now: ObservedProject) {
  const { networks, volumes, images } = now
  const containers = Object.entries(now.containers).map(([key, one]) => {
    return [key, containerText(project, one, before.containers[key])]
  })
  return {
    containers: Object.fromEntries(containers.sort()),
    networks,
    volumes: volumes.filter((name) => !anonymous.test(name)),
    anonymous: volumes.filter((name) => anonymous.test(name)).length,
    images,
  }
}

const anonymous = /^[0-9a-f]{64}$/

function containerText(project: string, one: Json, before: Json | undefined): string {
  const { Status: status, ExitCode: code, StartedAt: started } = one.State
  const isKept = before?.Id === one.Id
  const isStarted = isKept && before?.State.StartedAt !== started
  return [
    status === 'exited' ? `exited ${code}` : status,
    isKept ? 'kept' : 'new',
    ...(isStarted ? ['started again'] : []),
    ...(before && before.Image !== one.Image ? ['other image'] : []),
    ...Object.keys(one.NetworkSettings.Networks).map((name) => name.replace(`${project}_`, '')),
    ...one.Mounts.map((mount: Json) => mountText(project, mount, before)).sort(),
  ].join(', ')
}

function mountText(project: string, { Name, Destination }: Json, before: Json | undefined): string {
  if (!anonymous.test(Name ?? '')) return `${Name?.replace(`${project}_`, '')}:${Destination}`
  const isKept = before?.Mounts.some((mount: Json) => mount.Name === Name)
  return `${isKept ? 'its' : 'a new'} volume:${Destination}`
}
