import { clear, sockets, unlink } from './bytes.ts'

/**
 * Returns a program that deletes the files named by its arguments, as a Linux executable, or
 * undefined for an unsupported processor. It is needed because the Engine API can read and write
 * files but not delete them, and it avoids pulling an image.
 */
export const unlinkProgram = (arch: string) => programFor(arch, unlink)

/**
 * Returns a program that deletes the files and empty directories listed in a file, in that order.
 * The file is its argument: each path ends with a zero byte, and one more zero byte ends the list.
 * Paths that cannot be deleted stay.
 */
export const clearProgram = (arch: string) => programFor(arch, clear)

/**
 * Returns a program that lists the sockets below the directory of its first argument in the file of
 * its second one: each path ends with a zero byte. After 1000 paths it writes only that byte.
 */
export const socketsProgram = (arch: string) => programFor(arch, sockets)

/** Takes the names that Engines and kernels use for a processor. */
function programFor(arch: string, program: typeof unlink): Buffer | undefined {
  if (arch === 'amd64' || arch === 'x86_64') return program.amd64
  if (arch === 'arm64' || arch === 'aarch64') return program.arm64
  return undefined
}
