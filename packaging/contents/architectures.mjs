/**
 * The architectures of images and packages by Debian's names, with the names of npm and of Debian's
 * library directories.
 */
export const architectures = /** @type {const} */ ({
  amd64: { npm: 'x64', triplet: 'x86_64-linux-gnu' },
  arm64: { npm: 'arm64', triplet: 'aarch64-linux-gnu' },
})

/** @typedef {keyof typeof architectures} Architecture */

/** Returns the architecture of this machine, or undefined if nothing is packaged for it. */
export function ownArchitecture() {
  return architectureNames.find((name) => architectures[name].npm === process.arch)
}

/** All names of architectures. */
export const architectureNames = /** @type {Architecture[]} */ (Object.keys(architectures))
