/**
 * A program of a few instructions that deletes the files named by its arguments: the Engine API can write and read files but
 * not delete them, and no image is pulled for it. An executable for Linux, or undefined for another kind of processor.
 */
export function unlinkProgram(arch: string): Buffer | undefined {
  if (arch === 'amd64' || arch === 'x86_64') return executable(62, amd64)
  if (arch === 'arm64' || arch === 'aarch64') return executable(183, arm64)
  return undefined
}

/** for each argument: unlink(argument); exit(0) */
const amd64 = Buffer.from(
  [
    '59', //           pop rcx          argc
    '59', //           pop rcx          argv[0]
    '5f', //     next: pop rdi
    '4885ff', //       test rdi, rdi
    '7409', //         jz exit
    'b857000000', //   mov eax, 87      unlink
    '0f05', //         syscall
    'ebf1', //         jmp next
    '31ff', //   exit: xor edi, edi
    'b83c000000', //   mov eax, 60      exit
    '0f05', //         syscall
  ].join(''),
  'hex',
)

/** for each argument: unlinkat(AT_FDCWD, argument, 0); exit(0) */
const arm64 = words([
  0x910043f3, //       add x19, sp, #16
  0xf8408661, // next: ldr x1, [x19], #8
  0xb40000c1, //       cbz x1, exit
  0x92800c60, //       mov x0, #-100     AT_FDCWD
  0xd2800002, //       mov x2, #0
  0xd2800468, //       mov x8, #35       unlinkat
  0xd4000001, //       svc #0
  0x17fffffa, //       b next
  0xd2800000, // exit: mov x0, #0
  0xd2800ba8, //       mov x8, #93       exit
  0xd4000001, //       svc #0
])

function words(values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    buffer.writeUInt32LE(value, index * 4)
  })
  return buffer
}

/** An ELF file: its header, one segment that holds the whole file, the code. */
function executable(machine: number, code: Buffer): Buffer {
  const headers = Buffer.alloc(64 + 56)
  const address = 0x400000n
  const size = BigInt(headers.length + code.length)
  Buffer.from('7f454c46020101', 'hex').copy(headers)
  headers.writeUInt16LE(2, 16) // executable
  headers.writeUInt16LE(machine, 18)
  headers.writeUInt32LE(1, 20)
  headers.writeBigUInt64LE(address + BigInt(headers.length), 24) // entry
  headers.writeBigUInt64LE(64n, 32) // program headers at
  headers.writeUInt16LE(64, 52)
  headers.writeUInt16LE(56, 54)
  headers.writeUInt16LE(1, 56)
  headers.writeUInt32LE(1, 64) // load
  headers.writeUInt32LE(5, 68) // read, execute
  headers.writeBigUInt64LE(address, 80)
  headers.writeBigUInt64LE(address, 88)
  headers.writeBigUInt64LE(size, 96)
  headers.writeBigUInt64LE(size, 104)
  headers.writeBigUInt64LE(0x1000n, 112)
  return Buffer.concat([headers, code])
}
