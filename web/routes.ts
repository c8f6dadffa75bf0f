import { exec } from 'preact-iso/router'
import { isPagePath } from './data/own-path.ts'
import type { Needed } from './data/permissions.ts'
import { setKnownPages } from './frame/known-pages.ts'
import { type Lazy, lazy } from './frame/lazy.ts'

export interface RouteLine {
  /** As of preact-iso: `:name` is a part, `:rest*` is any number of them. */
  path: string
  screen: Lazy
  /** Readers without it see a page that names it, and who can grant it. */
  permission?: Needed
}

/**
 * Every screen by its address, loaded when it is opened. Literal paths come before those with a
 * `:name` in the same place. What no name can be, such as `+new`, hides no stack.
 */
export const routes: readonly RouteLine[] = [
  { path: '/', screen: lazy(() => import('./screens/home.tsx')) },
  {
    path: '/stacks',
    screen: lazy(() => import('./screens/stacks.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/+new',
    screen: lazy(() => import('./screens/stacks/new.tsx')),
    permission: 'stacks:create',
  },
  {
    path: '/stacks/+new/folder',
    screen: lazy(() => import('./screens/stacks/new/folder.tsx')),
    permission: 'stacks:create',
  },
  {
    path: '/stacks/+new/run',
    screen: lazy(() => import('./screens/stacks/new/run.tsx')),
    permission: 'stacks:create',
  },
  {
    path: '/stacks/+new/adopt',
    screen: lazy(() => import('./screens/stacks/new/adopt.tsx')),
    permission: 'stacks:create',
  },
  { path: '/account', screen: lazy(() => import('./screens/account.tsx')) },
  {
    path: '/hosts',
    permission: 'hosts:read',
    screen: lazy(() => import('./screens/hosts.tsx')),
  },
  {
    path: '/hosts/:id',
    permission: 'hosts:read',
    screen: lazy(() => import('./screens/hosts/host.tsx')),
  },
  {
    path: '/images',
    permission: 'images:read',
    screen: lazy(() => import('./screens/images.tsx')),
  },
  {
    path: '/updates',
    permission: 'stacks:read',
    screen: lazy(() => import('./screens/updates.tsx')),
  },
  {
    path: '/volumes',
    permission: 'volumes:read',
    screen: lazy(() => import('./screens/volumes.tsx')),
  },
  {
    path: '/networks',
    permission: 'networks:read',
    screen: lazy(() => import('./screens/networks.tsx')),
  },
  {
    path: '/registries',
    permission: 'registries:manage',
    screen: lazy(() => import('./screens/registries.tsx')),
  },
  {
    path: '/sources',
    permission: 'registries:manage',
    screen: lazy(() => import('./screens/sources.tsx')),
  },
  {
    path: '/alerts',
    permission: 'alerts:read',
    screen: lazy(() => import('./screens/alerts.tsx')),
  },
  {
    path: '/alerts/rules',
    permission: 'alerts:read',
    screen: lazy(() => import('./screens/alerts/rules.tsx')),
  },
  {
    path: '/alerts/history',
    permission: 'alerts:read',
    screen: lazy(() => import('./screens/alerts/history.tsx')),
  },
  {
    path: '/alerts/channels',
    permission: 'alerts:read',
    screen: lazy(() => import('./screens/alerts/channels.tsx')),
  },
  {
    path: '/backups',
    permission: 'backups:read',
    screen: lazy(() => import('./screens/backups.tsx')),
  },
  {
    path: '/backups/runs',
    permission: 'backups:read',
    screen: lazy(() => import('./screens/backups/runs.tsx')),
  },
  {
    path: '/users',
    permission: 'users:manage',
    screen: lazy(() => import('./screens/users.tsx')),
  },
  {
    path: '/users/roles',
    permission: 'roles:manage',
    screen: lazy(() => import('./screens/users/roles.tsx')),
  },
  {
    path: '/audit',
    permission: 'audit:read',
    screen: lazy(() => import('./screens/audit.tsx')),
  },
  {
    path: '/settings',
    permission: ['settings:manage', 'service:upgrade'],
    screen: lazy(() => import('./screens/settings.tsx')),
  },
  {
    path: '/settings/sign-in',
    permission: 'settings:manage',
    screen: lazy(() => import('./screens/settings/sign-in.tsx')),
  },
  {
    path: '/settings/keys',
    permission: 'settings:manage',
    screen: lazy(() => import('./screens/settings/keys.tsx')),
  },
  {
    path: '/settings/update-policies',
    permission: 'settings:manage',
    screen: lazy(() => import('./screens/settings/update-policies.tsx')),
  },
  {
    path: '/settings/variables',
    permission: 'variables:manage',
    screen: lazy(() => import('./screens/settings/variables.tsx')),
  },
  {
    path: '/containers',
    screen: lazy(() => import('./screens/containers.tsx')),
    permission: 'containers:read',
  },
  {
    path: '/containers/:host/:id/:tab?',
    screen: lazy(() => import('./screens/containers/container.tsx')),
    permission: 'containers:read',
  },
  {
    path: '/logs',
    screen: lazy(() => import('./screens/logs.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/logs',
    screen: lazy(() => import('./screens/stacks/logs.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/files',
    screen: lazy(() => import('./screens/stacks/files.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name',
    screen: lazy(() => import('./screens/stacks/stack.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/deploy',
    screen: lazy(() => import('./screens/stacks/deploy.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/deployments',
    screen: lazy(() => import('./screens/stacks/deployments.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/deployments/:id',
    screen: lazy(() => import('./screens/stacks/deployment.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/backups',
    screen: lazy(() => import('./screens/stacks/backups.tsx')),
    permission: 'backups:read',
  },
  {
    path: '/stacks/:name/drift',
    screen: lazy(() => import('./screens/stacks/drift.tsx')),
    permission: 'stacks:read',
  },
  {
    path: '/stacks/:name/events',
    screen: lazy(() => import('./screens/stacks/events.tsx')),
    permission: 'stacks:read',
  },
  { path: '/kit', screen: lazy(() => import('./screens/kit.tsx')) },
]

setKnownPages(routes.map(({ path }) => path))

/** Returns whether there is a screen for an address without parameters. */
export const hasScreen = (path: string) => routes.some((route) => route.path === path)

const routeOf = (path: string) =>
  isPagePath(path) ? routes.find((route) => exec(path, route.path)) : undefined

/** Returns the permission that the screen of an address needs, or the first of several. */
export const permissionFor = (path: string): string | undefined =>
  [routeOf(path)?.permission ?? []].flat()[0]

/** Loads the screen of an address while the session begins. */
export function preloadScreen(path: string): void {
  void routeOf(path)?.screen.preload()
}
