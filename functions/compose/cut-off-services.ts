/** The label with what a service depends on: `db:service_healthy:false,…`. */
const dependsOn = 'com.docker.compose.depends_on'
const oneOff = 'com.docker.compose.oneoff'

/** A container of a stack. */
export interface LabelledContainer {
  service: string | null
  labels: Readonly<Record<string, string>>
}

/**
 * Returns the other services that have to be deployed with the given ones: those that share a
 * network or another namespace of theirs, which ends with the old container, and those that depend
 * on them with `restart: true`. Both have the same mark in the label of their containers.
 */
export function cutOffServices(
  services: readonly string[],
  containers: readonly LabelledContainer[],
): string[] {
  const users = containers.flatMap(({ service, labels }) =>
    service === null || labelOf(labels, oneOff) === 'True'
      ? []
      : [{ service, restartsWith: restartingWith(labels) }],
  )
  return restartedWith(services, users)
}

/** A service, and those with which it has to restart. */
export interface RestartingService {
  service: string
  restartsWith: readonly string[]
}

/** Returns the other services that have to restart with the given ones, sorted. */
export function restartedWith(
  services: readonly string[],
  users: readonly RestartingService[],
): string[] {
  const taken = new Set(services)
  for (let size = -1; size !== taken.size; ) {
    size = taken.size
    for (const { service, restartsWith } of users) {
      if (restartsWith.some((name) => taken.has(name))) taken.add(service)
    }
  }
  return [...taken].filter((name) => !services.includes(name)).sort()
}

const labelOf = (labels: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(labels, name) ? labels[name] : undefined

const restartingWith = (labels: Readonly<Record<string, string>>): string[] =>
  (labelOf(labels, dependsOn) ?? '').split(',').flatMap((entry) => {
    const [name, , restart] = entry.split(':')
    return name && restart === 'true' ? [name] : []
  })
