/**
 * What a statement does to which table, as its span is named: `select registration`, `insert job`, `begin`. Of common
 * table expressions the statement behind them counts where it can be told, otherwise the first table that is named.
 */
export function statementSummary(text: string): string {
  const [, word = 'sql'] = /^\s*(?:\/\*.*?\*\/\s*)?([a-z]+)/i.exec(text) ?? []
  const verb = word.toLowerCase()
  const [, table] = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([A-Za-z_]\w*)"?/i.exec(text) ?? []
  if (verb === 'start') return 'begin'
  return table && ['select', 'insert', 'update', 'delete', 'with', 'merge', 'copy'].includes(verb)
    ? `${verb} ${table}`
    : verb
}
