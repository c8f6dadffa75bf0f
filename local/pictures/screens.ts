import type { Homelab } from './homelab.ts'

/** A screen to take a picture of. */
export interface Screen {
  name: string
  path: string
  /** A selector of what is shown last. */
  ready?: string | undefined
}

interface Item {
  id: string
  host_id: string
  name: string
}

/** Returns every screen of the browser UI that a signed-in admin opens. */
export async function everyScreen({ call }: Pick<Homelab, 'call'>): Promise<Screen[]> {
  const { items } = await call<{ items: Item[] }>('GET', '/containers?host=all')
  const server = items.find(({ name }) => name.includes('photos-server'))
  const database = items.find(({ name }) => name.includes('photos-database'))
  const [deployment] = await call<{ id: string }[]>('GET', '/stacks/photos/deployments')
  const [failed] = await call<{ id: string }[]>('GET', '/stacks/uptime/deployments')
  const hosts = await call<{ id: string; name: string }[]>('GET', '/hosts')
  const nas = hosts.find(({ name }) => name === 'nas')
  const container = `/containers/${server?.host_id}/${server?.id}`
  const log = '.log-text'
  return [
    { name: 'home', path: '/' },
    { name: 'stacks', path: '/stacks' },
    { name: 'stacks-filtered', path: '/stacks?filter=nothing' },
    { name: 'new-paste', path: '/stacks/+new' },
    { name: 'new-folder', path: '/stacks/+new/folder' },
    { name: 'new-run', path: '/stacks/+new/run' },
    { name: 'new-adopt', path: '/stacks/+new/adopt' },
    { name: 'stack', path: '/stacks/photos' },
    { name: 'stack-unhealthy', path: '/stacks/nextcloud' },
    { name: 'stack-stopped', path: '/stacks/syncthing' },
    { name: 'stack-deploy', path: '/stacks/photos/deploy', ready: '.diff' },
    { name: 'stack-deployments', path: '/stacks/photos/deployments' },
    { name: 'stack-deployment', path: `/stacks/photos/deployments/${deployment?.id}` },
    { name: 'stack-deployment-failed', path: `/stacks/uptime/deployments/${failed?.id}` },
    { name: 'stack-backups', path: '/stacks/photos/backups' },
    { name: 'stack-drift', path: '/stacks/photos/drift' },
    { name: 'stack-events', path: '/stacks/photos/events' },
    { name: 'stack-files', path: '/stacks/photos/files', ready: '.cm-line' },
    { name: 'stack-logs', path: '/stacks/photos/logs', ready: log },
    { name: 'logs-none', path: '/logs' },
    { name: 'logs', path: '/logs?stacks=photos', ready: log },
    { name: 'containers', path: '/containers' },
    { name: 'container', path: container },
    { name: 'container-logs', path: `${container}/logs`, ready: log },
    { name: 'container-terminal', path: `${container}/terminal`, ready: '.xterm-screen' },
    { name: 'container-charts', path: `${container}/charts`, ready: '.chart canvas' },
    { name: 'container-processes', path: `${container}/processes` },
    { name: 'container-inspect', path: `/containers/${database?.host_id}/${database?.id}/inspect` },
    { name: 'hosts', path: '/hosts' },
    { name: 'host', path: '/hosts/local' },
    { name: 'host-nas', path: `/hosts/${nas?.id}` },
    { name: 'host-enrol', path: '/hosts?open=enrol' },
    { name: 'images', path: '/images' },
    { name: 'images-prune', path: '/images?open=prune' },
    { name: 'images-pull', path: '/images?open=pull' },
    { name: 'volumes', path: '/volumes' },
    { name: 'networks', path: '/networks' },
    { name: 'registries', path: '/registries' },
    { name: 'alerts', path: '/alerts' },
    { name: 'alerts-rules', path: '/alerts/rules' },
    { name: 'alerts-rule-new', path: '/alerts/rules?rule=new' },
    { name: 'alerts-history', path: '/alerts/history' },
    { name: 'alerts-channels', path: '/alerts/channels' },
    { name: 'backups', path: '/backups' },
    { name: 'backups-new', path: '/backups?edit=new' },
    { name: 'backups-runs', path: '/backups/runs' },
    { name: 'users', path: '/users' },
    { name: 'users-roles', path: '/users/roles' },
    { name: 'audit', path: '/audit' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-sign-in', path: '/settings/sign-in' },
    { name: 'settings-keys', path: '/settings/keys' },
    { name: 'settings-update-policies', path: '/settings/update-policies' },
    { name: 'account', path: '/account' },
    { name: 'not-found', path: '/nothing/here' },
    { name: 'kit', path: '/kit' },
  ]
}
