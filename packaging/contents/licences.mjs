import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cache, root } from './places.mjs'

/**
 * Returns the licences of the packages that are part of the build, as one text. They are kept for
 * the next run, under a name that depends on the build and the versions of the packages. The
 * service keeps the name of its file, so what is in it counts.
 */
export function bundledLicences() {
  const programs = readdirSync(`${root}dist`).filter((name) => name.endsWith('.js'))
  const digest = createHash('sha256').update(readFileSync(`${root}package-lock.json`))
  for (const name of programs.sort())
    digest.update(name).update(readFileSync(`${root}dist/${name}`))
  const kept = join(cache, `licences-${digest.digest('hex').slice(0, 12)}`)
  if (existsSync(kept)) return readFileSync(kept)
  const words = ['--import', 'tsx', 'packaging/release/print-licences.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    maxBuffer: 1024 ** 2 * 64,
  })
  if (status !== 0) throw new Error(`the licences cannot be collected: ${stderr}`)
  mkdirSync(cache, { recursive: true })
  writeFileSync(`${kept}.${process.pid}`, stdout)
  renameSync(`${kept}.${process.pid}`, kept)
  return stdout
}
