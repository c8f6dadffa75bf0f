/** Commands that belong together, by their first words. */
export interface Section {
  title: string
  first: readonly string[]
  example: string
}

/** The sections of the help, in their order. Every command is in one of them. */
export const sections: readonly Section[] = [
  {
    title: 'Stacks',
    first: ['stacks', 'updates', 'import', 'variables', 'sources'],
    example: 'cli stacks deploy shop',
  },
  {
    title: 'Containers and what they use',
    first: ['containers', 'images', 'volumes', 'networks', 'registries'],
    example: 'cli containers list --host all --filter state=running',
  },
  {
    title: 'Hosts, events and operations',
    first: ['hosts', 'events', 'operations', 'service', 'upgrade'],
    example: 'cli events --since 10m',
  },
  { title: 'Backups', first: ['backups'], example: 'cli backups run nightly' },
  { title: 'Alerts', first: ['alerts'], example: 'cli alerts list --watch' },
  {
    title: 'Your account',
    first: ['whoami', 'password', 'mfa', 'sessions', 'tokens'],
    example: 'cli tokens create ci --expires-in 90d > token.txt',
  },
  {
    title: 'Administration',
    first: [
      ...['users', 'roles', 'providers', 'settings', 'update-policies', 'export', 'apply'],
      ...['keys', 'audit'],
    ],
    example: 'cli users create olga --role operator',
  },
  {
    title: 'This client',
    first: ['setup', 'login', 'logout', 'contexts', 'open', 'api', 'mcp', 'version', 'completion'],
    example: 'cli login https://stacks.example.com --user ada',
  },
]
