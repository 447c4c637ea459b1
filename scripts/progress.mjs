// What a person sees while the program is getting ready. On a terminal one line is rewritten in place; elsewhere, as in
// a log, every text is a line of its own. The service uses it too, so that its lines follow those of the scripts.

const { stdout } = process

/** Says what is being done now; the next text takes its place. @param {string} text */
export function doing(text) {
  stdout.write(stdout.isTTY ? `\r\x1b[2K${cut(text, (stdout.columns || 80) - 1)}` : `${text}\n`)
}

/** Says something that stays. @param {string} text */
export function say(text) {
  stdout.write(stdout.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`)
}

/** Takes away what `doing` left on a terminal. */
export function done() {
  if (stdout.isTTY) stdout.write('\r\x1b[2K')
}

/**
 * Says what is being done for as long as it takes; a terminal also shows for how many seconds already.
 * @template R @param {string} text @param {() => Promise<R>} work @returns {Promise<R>}
 */
export async function during(text, work) {
  const began = Date.now()
  doing(text)
  const tick = stdout.isTTY && setInterval(() => doing(`${text} ${Math.round((Date.now() - began) / 1000)} 秒`), 1000)
  try {
    return await work()
  } finally {
    if (tick) clearInterval(tick)
    done()
  }
}

/** Columns a text takes on a terminal: Chinese signs take two. @param {string} text */
export const columnsOf = (text) => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x1100 ? 2 : 1), 0)

/**
 * The beginning of a text that fits, for a line that wraps cannot be rewritten.
 * @param {string} text @param {number} columns
 */
function cut(text, columns) {
  let fits = ''
  for (const sign of text) {
    if (columnsOf(fits + sign) > columns) break
    fits += sign
  }
  return fits
}
