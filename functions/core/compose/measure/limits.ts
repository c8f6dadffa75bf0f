/**
 * The largest project that is read and planned: no honest one comes near. They are published in
 * docs/compose.md, and `measure` counts against them before anything expands. Each one counts the
 * whole project, every container of a service anew where it says so.
 */
export const limits = {
  services: 1000,
  /** Of all services, by `scale` and `deploy.replicas`. */
  containers: 1000,
  /** Published and exposed ports of all containers, each port of a range. */
  ports: 20_000,
  /** Networks that containers join. */
  endpoints: 5000,
  /** Names that links give to other containers, in each network. */
  links: 20_000,
  /** Containers that containers wait for. */
  dependencies: 50_000,
  /** Commands before and after starts and before stops, of all containers. */
  hooks: 5000,
  /** Keys, list entries and single values of the resolved project. */
  values: 150_000,
  /** Characters of the keys and values of the resolved project. */
  characters: 8 * 1024 * 1024,
  /** What the Engine is told of all containers, in values. */
  body_values: 300_000,
  /** What the Engine is told of all containers, in characters. */
  body_characters: 8 * 1024 * 1024,
} as const

export type LimitName = keyof typeof limits

/** What one count is of, as it stands in an error: `the project has 5000 containers`. */
export const limitWords: Readonly<Record<LimitName, string>> = {
  services: 'services',
  containers: 'containers',
  ports: 'published and exposed ports',
  endpoints: 'networks of containers',
  links: 'names of links',
  dependencies: 'containers that others wait for',
  hooks: 'commands of life cycles',
  values: 'values',
  characters: 'characters',
  body_values: 'values in what creates its containers',
  body_characters: 'characters in what creates its containers',
}
