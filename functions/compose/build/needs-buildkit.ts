const mounts = /^\s*RUN\s+--(mount|network|security)\b/i
const flags = /^\s*(COPY|ADD)\s.*--(link|chmod|exclude|parents|checksum|keep-git-dir)\b/i
const platforms = /^\s*(FROM\s.*--platform=|ARG\s+(TARGET|BUILD)(PLATFORM|OS|ARCH|VARIANT)\b)/i
const heredoc = /^\s*(RUN|COPY|ADD)\s.*<<-?["']?[A-Za-z_]/i

/**
 * Returns whether a Dockerfile uses what BuildKit supports and the classic builder refuses or
 * misreads.
 */
export function needsBuildKit(dockerfile: string): boolean {
  return dockerfile
    .split('\n')
    .some((line) => [mounts, flags, platforms, heredoc].some((pattern) => pattern.test(line)))
}
