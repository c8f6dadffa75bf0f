/** Everything that an account can be allowed to do: `<resource>:<action>`. Endpoints name one each. */
export const permissions = [
  'stacks:read',
  'stacks:create',
  'stacks:update',
  'stacks:delete',
  'stacks:deploy',
  'stacks:secrets',
  'stacks:privileged',
  'containers:read',
  'containers:operate',
  'containers:delete',
  'containers:exec',
  'containers:secrets',
  'images:read',
  'images:pull',
  'images:delete',
  'networks:read',
  'volumes:read',
  'hosts:read',
  'hosts:manage',
  'registries:manage',
  'backups:read',
  'backups:manage',
  'alerts:read',
  'alerts:manage',
  'users:manage',
  'roles:manage',
  'settings:manage',
  'audit:read',
  'audit:manage',
  'metrics:read',
] as const

export type Permission = (typeof permissions)[number]

const viewer: Permission[] = [
  'stacks:read',
  'containers:read',
  'images:read',
  'networks:read',
  'volumes:read',
  'hosts:read',
  'backups:read',
  'alerts:read',
]

const operator: Permission[] = [
  ...viewer,
  'stacks:create',
  'stacks:update',
  'stacks:delete',
  'stacks:deploy',
  'stacks:secrets',
  'containers:operate',
  'containers:delete',
  'containers:exec',
  'containers:secrets',
  'images:pull',
  'images:delete',
  'registries:manage',
  'backups:manage',
]

/** The roles that every installation has. `admin` may do everything, operators run things, viewers read. */
export const builtinRoles: Record<string, readonly Permission[]> = {
  admin: permissions,
  operator,
  viewer,
}
