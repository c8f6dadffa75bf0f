import { spawnSync } from 'node:child_process'
import { ensurePackages } from './packages.mjs'

/**
 * Ensures that Java 17 or newer is installed, which DynamoDB Local needs. Returns false, after
 * printing what to do, if that fails.
 */
export function ensureJava(print = console.log) {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0)
  if (status === 0 && version >= 17) return true
  return ensurePackages(['openjdk-17-jre-headless'], 'DynamoDB Local, which keeps the state', print)
}
