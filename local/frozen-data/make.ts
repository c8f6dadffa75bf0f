import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { docker } from '../../adapters/testing/docker.ts'
import { newPlace, setUpAdmin, startIn } from '../harness/service.ts'
import { stop } from '../harness/upgrade.ts'
import { fill } from './fill.ts'

/**
 * Freezes the data directory of another commit: starts the service that is built in a worktree of
 * it, works with it, stops it, and writes the archive and what is in it to this folder. Usage:
 * `npx tsx local/frozen-data/make.ts <worktree>`
 */
const [given] = process.argv.slice(2)
if (!given) throw new Error('name the worktree of a commit whose service is built')
const worktree = resolve(given)
const git = (...words: string[]) =>
  execFileSync('git', ['-C', worktree, ...words], { encoding: 'utf8' }).trim()
const commit = git('rev-parse', '--short=8', 'HEAD')
const target = fileURLToPath(new URL(commit, import.meta.url))

const place = { ...newPlace({ SERVICE_DYNAMODB_ENDPOINT: '' }), programs: join(worktree, 'dist') }
// An earlier version knows no empty variable.
delete place.env.SERVICE_DYNAMODB_ENDPOINT
delete place.env.SERVICE_DYNAMODB_TABLE
delete process.env.SERVICE_DYNAMODB_ENDPOINT

try {
  const service = await startIn(place)
  const token = await setUpAdmin(place, service)
  const content = await fill(service, token, `frozen-${commit}`)
  const ended = await stop(service)
  if (ended !== 0) throw new Error(`the service ended with ${ended}:\n${service.lines.join('\n')}`)
  const admin = { username: 'admin', password: place.password }
  const date = git('log', '-1', '--format=%cs')
  const found = { commit, date, subject: git('log', '-1', '--format=%s'), admin, ...content }
  writeFileSync(`${target}.json`, `${JSON.stringify(found, null, 2)}\n`)
  pack()
} finally {
  removeContainers(`frozen-${commit}`)
  await place.remove()
}

function removeContainers(project: string) {
  const filter = `label=com.docker.compose.project=${project}`
  const listed = (...words: string[]) =>
    docker(...words, '--filter', filter)
      .split('\n')
      .filter(Boolean)
  for (const id of listed('ps', '-aq')) docker('rm', '-fv', id)
  for (const id of listed('volume', 'ls', '-q')) docker('volume', 'rm', id)
  for (const id of listed('network', 'ls', '-q')) docker('network', 'rm', id)
}

/** Packs the data and the stacks, without the program of the store. */
function pack() {
  const directory = join(place.directory, 'frozen')
  mkdirSync(directory)
  for (const name of ['data', 'stacks'])
    renameSync(join(place.directory, name), join(directory, name))
  const words = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
  const out = ['--exclude=data/dynamodb/program', '-C', directory]
  execFileSync('tar', [...words, ...out, '-cJf', `${target}.tar.xz`, 'data', 'stacks'], {
    env: { ...process.env, XZ_OPT: '-9e' },
  })
}
