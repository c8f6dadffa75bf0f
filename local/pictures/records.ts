import { until } from '../harness/service.ts'
import type { Call } from './call.ts'

/** Adds users, alerts, backups and what else an admin sets up. */
export async function addRecords(call: Call, nas: string): Promise<void> {
  await addPeople(call)
  await addAlerts(call)
  await addBackups(call, nas)
  await call('POST', '/registries', {
    address: 'docker.io',
    username: 'homelab',
    password: 'secret',
  })
}

async function addPeople(call: Call): Promise<void> {
  const permissions = ['stacks:read', 'stacks:deploy', 'containers:read', 'hosts:read']
  await call('POST', '/roles', { name: 'deployer', permissions })
  const password = 'correct-horse-battery'
  const users = [
    { username: 'grace', email: 'grace@home.example', role: 'operator' },
    { username: 'linus', role: 'viewer', scope_tags: ['storage'] },
    { username: 'ci', role: 'deployer' },
    { username: 'guest', role: 'viewer', disabled: true },
  ]
  for (const user of users) await call('POST', '/users', { ...user, password })
  await call('POST', '/api-tokens', { name: 'nightly build', expires_in_days: 90 })
}

async function addAlerts(call: Call): Promise<void> {
  const { id } = await call<{ id: string }>('POST', '/alert-channels', {
    kind: 'ntfy',
    name: 'phone',
    topic: 'homelab',
    server: 'http://10.255.0.9',
  })
  const rules = [
    { name: 'Container is unhealthy', metric: 'unhealthy', for_seconds: 1 },
    { name: 'Container keeps restarting', metric: 'restarts', threshold: 2 },
    { name: 'Host is offline', metric: 'host_down', for_seconds: 1, severity: 'critical' },
    { name: 'Disk is nearly full', metric: 'disk_percent', threshold: 90, severity: 'warning' },
    { name: 'Deployment failed', metric: 'deploy_failed' },
    { name: 'Backup failed', metric: 'backup_failed', severity: 'critical' },
  ]
  for (const rule of rules) await call('POST', '/alert-rules', { ...rule, channels: [id] })
  const enough = (alerts: unknown[]) => alerts.length >= 4
  await until(() => call<unknown[]>('GET', '/alerts'), enough, 60)
}

async function addBackups(call: Call, nas: string): Promise<void> {
  const jobs = [
    { name: 'photos-nightly', sources: [{ kind: 'stack', name: 'photos' }] },
    { name: 'paperless-nightly', sources: [{ kind: 'stack', name: 'paperless' }] },
    { name: 'service-weekly', sources: [{ kind: 'system' }], schedule: '0 4 * * 0' },
    { name: 'media-config', sources: [{ kind: 'stack', name: 'media' }], host: nas },
  ]
  for (const job of jobs) {
    const made = await call<{ id: string }>('POST', '/backup-jobs', {
      schedule: '30 3 * * *',
      timezone: 'Europe/Berlin',
      retention: { keep_last: 7 },
      target: { kind: 'local', path: job.name },
      ...job,
    })
    await call('POST', `/backup-jobs/${made.id}/run`, {})
  }
}
