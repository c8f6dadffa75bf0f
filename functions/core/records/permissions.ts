/** All permissions, as `<resource>:<action>`. Each endpoint requires one of them. */
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
  'networks:delete',
  'volumes:read',
  'volumes:delete',
  'hosts:read',
  'hosts:manage',
  'registries:manage',
  'variables:manage',
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
  'service:upgrade',
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
  'networks:delete',
  'volumes:delete',
  'registries:manage',
  'backups:manage',
]

/**
 * The built-in roles: admins may do everything, operators run stacks and containers, viewers read.
 */
export const builtinRoles: Record<string, readonly Permission[]> = {
  admin: permissions,
  operator,
  viewer,
}
