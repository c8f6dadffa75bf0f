import { spawnSync } from 'node:child_process'
import { ensurePackages } from './packages.mjs'

/** Sees to it that there is a Java 17 or newer, which DynamoDB Local runs on. Gives false after printing what to do. */
export function ensureJava(print = console.log) {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0)
  if (status === 0 && version >= 17) return true
  return ensurePackages(['openjdk-17-jre-headless'], 'DynamoDB Local, which keeps the state', print)
}
