import { arch } from 'node:process'

/** The processors that the programs are built for, by Docker's names for them. */
export const processors = {
  amd64: { node: 'x64', target: 'x86_64-linux-gnu', emulator: 'qemu-x86_64-static' },
  arm64: { node: 'arm64', target: 'aarch64-linux-gnu', emulator: 'qemu-aarch64-static' },
}

/** The Debian packages that build, disassemble and run the programs. */
export const programPackages = [
  'gcc-12',
  ...Object.values(processors)
    .filter(({ node }) => node !== arch)
    .map(({ target }) => `gcc-12-${target.replace('_', '-')}`),
  'qemu-user-static',
]
