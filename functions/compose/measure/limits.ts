/**
 * The maximum size of a project. Real projects are far smaller. docs/compose.md publishes these
 * limits; `measure` checks them before anything expands. Each limit applies to the whole project.
 */
export const limits = {
  services: 1000,
  /** Containers of all services, by `scale` and `deploy.replicas`. */
  containers: 1000,
  /** Published and exposed ports of all containers; each port of a range counts. */
  ports: 20_000,
  /** Networks that containers join. */
  endpoints: 5000,
  /** Names that links give to other containers, counted per network. */
  links: 20_000,
  /** Containers that containers wait for. */
  dependencies: 50_000,
  /** Lifecycle hook commands of all containers. */
  hooks: 5000,
  /** Keys, list entries and single values of the resolved project. */
  values: 150_000,
  /** Characters of the keys and values of the resolved project. */
  characters: 8 * 1024 * 1024,
  /** Values in the requests that create all containers. */
  body_values: 300_000,
  /** Characters in the requests that create all containers. */
  body_characters: 8 * 1024 * 1024,
} as const

export type LimitName = keyof typeof limits

/** What each limit counts, for error messages: `the project has 5000 containers`. */
export const limitWords: Readonly<Record<LimitName, string>> = {
  services: 'services',
  containers: 'containers',
  ports: 'published and exposed ports',
  endpoints: 'network endpoints',
  links: 'link names',
  dependencies: 'dependencies between containers',
  hooks: 'lifecycle hook commands',
  values: 'values',
  characters: 'characters',
  body_values: 'values in the requests that create its containers',
  body_characters: 'characters in the requests that create its containers',
}
