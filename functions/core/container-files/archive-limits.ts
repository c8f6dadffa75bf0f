/** The maximum number of entries in an archive that is unpacked in a container. */
export const archiveEntriesMax = 10_000
