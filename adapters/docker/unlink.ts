/**
 * Returns a program that deletes the files named by its arguments, as a Linux executable, or
 * undefined for an unsupported processor. It is needed because the Engine API can read and write
 * files but not delete them, and it avoids pulling an image.
 */
export const unlinkProgram = (arch: string) => programFor(arch, { amd64, arm64 })

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

/**
 * Returns a program that deletes the files and empty directories listed in a file, in that order.
 * The file is its argument: each path ends with a zero byte, and one more zero byte ends the list.
 * Paths that cannot be deleted stay.
 */
export const clearProgram = (arch: string) =>
  programFor(arch, { amd64: clearAmd64, arm64: clearArm64 })

/** list = mmap(open(argv[1])); for each path of it: unlink(path), rmdir(path); exit(0) */
const clearAmd64 = Buffer.from(
  [
    '488b7c2410', //   mov rdi, [rsp+16]  argv[1]
    '31f6', //         xor esi, esi       read only
    '31d2', //         xor edx, edx
    'b802000000', //   mov eax, 2         open
    '0f05', //         syscall
    '85c0', //         test eax, eax
    '7854', //         js fail
    '4189c0', //       mov r8d, eax
    '31ff', //         xor edi, edi
    'be00000040', //   mov esi, 1 GiB     more than any list
    'ba01000000', //   mov edx, 1         to read
    '41ba02000000', // mov r10d, 2        private
    '4531c9', //       xor r9d, r9d
    'b809000000', //   mov eax, 9         mmap
    '0f05', //         syscall
    '4885c0', //       test rax, rax
    '7830', //         js fail
    '4889c3', //       mov rbx, rax
    '803b00', // next: cmp byte [rbx], 0
    '741f', //         je done
    '4889df', //       mov rdi, rbx
    'b857000000', //   mov eax, 87        unlink
    '0f05', //         syscall
    '4889df', //       mov rdi, rbx
    'b854000000', //   mov eax, 84        rmdir
    '0f05', //         syscall
    '48ffc3', // skip: inc rbx
    '807bff00', //     cmp byte [rbx-1], 0
    '75f7', //         jne skip
    'ebdc', //         jmp next
    '31ff', // done:   xor edi, edi
    'b83c000000', //   mov eax, 60        exit
    '0f05', //         syscall
    'bf01000000', // fail: mov edi, 1
    'b83c000000', //   mov eax, 60        exit
    '0f05', //         syscall
  ].join(''),
  'hex',
)

/** The same with openat and unlinkat. */
const clearArm64 = words([
  0xf9400be1, //       ldr x1, [sp, #16]  argv[1]
  0x92800c60, //       mov x0, #-100      AT_FDCWD
  0xd2800002, //       mov x2, #0         read only
  0xd2800003, //       mov x3, #0
  0xd2800708, //       mov x8, #56        openat
  0xd4000001, //       svc #0
  0xb7f803a0, //       tbnz x0, #63, fail
  0xaa0003e4, //       mov x4, x0
  0xd2800000, //       mov x0, #0
  0xd2a80001, //       mov x1, #1 GiB     more than any list
  0xd2800022, //       mov x2, #1         to read
  0xd2800043, //       mov x3, #2         private
  0xd2800005, //       mov x5, #0
  0xd2801bc8, //       mov x8, #222       mmap
  0xd4000001, //       svc #0
  0xb7f80280, //       tbnz x0, #63, fail
  0xaa0003f3, //       mov x19, x0
  0x39400269, // next: ldrb w9, [x19]
  0x340001c9, //       cbz w9, done
  0x92800c60, //       mov x0, #-100      AT_FDCWD
  0xaa1303e1, //       mov x1, x19
  0xd2800002, //       mov x2, #0
  0xd2800468, //       mov x8, #35        unlinkat
  0xd4000001, //       svc #0
  0x92800c60, //       mov x0, #-100      AT_FDCWD
  0xaa1303e1, //       mov x1, x19
  0xd2804002, //       mov x2, #0x200     AT_REMOVEDIR
  0xd2800468, //       mov x8, #35        unlinkat
  0xd4000001, //       svc #0
  0x38401669, // skip: ldrb w9, [x19], #1
  0x35ffffe9, //       cbnz w9, skip
  0x17fffff2, //       b next
  0xd2800000, // done: mov x0, #0
  0xd2800ba8, //       mov x8, #93        exit
  0xd4000001, //       svc #0
  0xd2800020, // fail: mov x0, #1
  0xd2800ba8, //       mov x8, #93        exit
  0xd4000001, //       svc #0
])

function words(values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    buffer.writeUInt32LE(value, index * 4)
  })
  return buffer
}

/** Returns the code as an executable for a processor, by the names that Engines and kernels use. */
function programFor(arch: string, code: { amd64: Buffer; arm64: Buffer }): Buffer | undefined {
  if (arch === 'amd64' || arch === 'x86_64') return executable(62, code.amd64)
  if (arch === 'arm64' || arch === 'aarch64') return executable(183, code.arm64)
  return undefined
}

/** Returns an ELF file: headers, and one segment that maps the whole file with the code. */
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
