const changes: (() => unknown)[] = []

/**
 * Puts something back when the test file ends that is running: the files of one test process share its modules, and
 * with them the program and its database, which whoever changes them has to leave as they were.
 */
export const atFileEnd = (putBack: () => unknown): void => void changes.push(putBack)

/** Puts everything back, the last change first. Called after every test file (see each-file.ts). */
export async function endFile(): Promise<void> {
  for (const putBack of changes.splice(0).toReversed()) await putBack()
}
