import { loadModule, parseSync } from 'libpg-query'

await loadModule()

/** A node of PostgreSQL's own parse tree, as JSON. */
type Node = Record<string, unknown>

/** What a name of a FROM clause stands for: the number of its school, or undefined where the rows have no school. */
type Names = Map<string, number | undefined>

/** The names that can be used at one place of a statement, innermost first, and the CTEs known there. */
interface Level {
  names: Names
  outer: Level | undefined
  /** The school of the rows of each CTE, by its name. */
  ctes: Map<string, number | undefined>
}

/** The tables with a column `schoolId`. */
export interface TablesOfSchools {
  /** Whose rows are kept where their school is kept. */
  divided: ReadonlySet<string>
  /** Which every machine would hold whole: they may be read without a school, and tie what is joined to them. */
  undivided: ReadonlySet<string>
}

/** The school that the caller names by a parameter or a constant. */
const named = 0

/**
 * Reads one statement and answers the tables in it whose rows are tied neither to a school that the caller names nor,
 * by an equality of `schoolId`, to rows that are. On a database that keeps schools on different machines such a statement
 * asks all of them; everywhere it may show one school the rows of another.
 *
 * Equalities count wherever they stand, and a bare `"schoolId"` is that of the first table of its level, so a statement
 * can pass that should not; what is answered is certain.
 *
 */
export function tablesWithoutSchool(statement: string, tables: TablesOfSchools): string[] {
  const lint = new StatementLint(tables)
  const { stmts } = parseSync(statement) as { stmts: { stmt: Node }[] }
  for (const { stmt } of stmts) lint.statement(stmt, undefined)
  return lint.untied()
}

/** One statement while it is read: every table in it has a number, and numbers that are the same school are joined. */
class StatementLint {
  readonly #divided: ReadonlySet<string>
  readonly #undivided: ReadonlySet<string>
  /** For each number the number it was joined to; itself where none. */
  readonly #joined = [named]
  readonly #tables: { table: string; school: number }[] = []

  constructor({ divided, undivided }: TablesOfSchools) {
    this.#divided = divided
    this.#undivided = undivided
  }

  untied(): string[] {
    return this.#tables.filter(({ school }) => !this.#isNamed(school)).map(({ table }) => table)
  }

  /** The school of the rows that a statement gives, undefined where it gives no `schoolId`. */
  statement(node: Node, outer: Level | undefined, at?: number): number | undefined {
    const [[kind, content]] = Object.entries(node) as [[string, Node]]
    const level: Level = { names: new Map(), outer, ctes: new Map() }
    for (const { CommonTableExpr: cte } of list(get(content['withClause'], 'ctes')))
      this.#cte(cte as Node, get(content['withClause'], 'recursive') === true, level)
    if (kind === 'SelectStmt') return this.#select(content, level, at)
    if (kind === 'InsertStmt') return this.#insert(content, level)
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt' || kind === 'MergeStmt') return this.#change(content, level)
    this.#inside(content, level)
    return undefined
  }

  #cte(cte: Node, recursive: boolean, level: Level): void {
    const name = String(cte['ctename'])
    const query = get(cte['ctequery'], 'SelectStmt') as Node | undefined
    if (!recursive || !query?.['larg']) {
      level.ctes.set(name, this.statement(cte['ctequery'] as Node, level))
      return
    }
    // the second part of a recursive query reads what the first one gives
    level.ctes.set(name, this.statement({ SelectStmt: query['larg'] }, level))
    this.statement({ SelectStmt: query['rarg'] }, level)
  }

  /** @param at the column that is the school, where not the name but an inserting statement's order tells */
  #select(select: Node, level: Level, at?: number): number | undefined {
    if (select['larg']) {
      const [first, second] = [select['larg'], select['rarg']].map((one) =>
        this.statement({ SelectStmt: one }, level, at),
      )
      // the rows of the whole are of the named school only if those of both halves are
      return first !== undefined && this.#isNamed(first) ? second : first
    }
    // such a query reads no row; it only tells what a row looks like
    if (isFalse(select['whereClause'])) return named
    for (const item of list(select['fromClause'])) this.#from(item, level)
    for (const [key, part] of Object.entries(select))
      if (key !== 'fromClause' && key !== 'withClause') this.#inside(part, level)
    const targets = list(select['targetList'])
    if (at === undefined) return this.#schoolGiven(targets, level)
    const value = get(targets[at]?.['ResTarget'], 'val') as Node | undefined
    return value && this.#schoolOf(value, level) !== undefined
      ? this.#schoolOf(value, level)
      : this.#schoolGiven(targets, level)
  }

  #insert(insert: Node, level: Level): number | undefined {
    const table = String(get(insert['relation'], 'relname'))
    const at = list(insert['cols']).findIndex((column) => get(column['ResTarget'], 'name') === 'schoolId')
    const school = this.#table(table, String(get(get(insert['relation'], 'alias'), 'aliasname') ?? table), level)
    level.names.set('excluded', school)
    const source = get(insert['selectStmt'], 'SelectStmt') as Node | undefined
    if (source) {
      const rows = list(source['valuesLists']).map((row) => list(get(row['List'], 'items'))[at])
      if (rows.length > 0) this.#inside(source, level)
      const given =
        rows.length > 0
          ? rows.map((value) => value && this.#schoolOf(value, level))
          : [this.statement({ SelectStmt: source }, level, at)]
      if (school !== undefined && given.every((one) => one !== undefined))
        for (const one of given) this.#join(school, one)
    }
    this.#inside(insert['onConflictClause'], level)
    this.#inside(insert['returningList'], level)
    return school
  }

  #change(change: Node, level: Level): number | undefined {
    const relation = change['relation'] as Node
    const table = String(relation['relname'])
    const school = this.#table(table, String(get(relation['alias'], 'aliasname') ?? table), level)
    for (const item of [...list(change['fromClause']), ...list(change['usingClause'])]) this.#from(item, level)
    for (const [key, part] of Object.entries(change))
      if (!['relation', 'fromClause', 'usingClause', 'withClause'].includes(key)) this.#inside(part, level)
    return school
  }

  /** What a target list gives as `schoolId`. */
  #schoolGiven(targets: Node[], level: Level): number | undefined {
    for (const { ResTarget: target } of targets) {
      const value = get(target, 'val') as Node
      // a whole row taken apart again, made of one of the first table
      if ('A_Indirection' in value && targets.length === 1) return firstOf(level.names)
      const fields = list(get(value['ColumnRef'], 'fields'))
      const isAll = fields.some((field) => 'A_Star' in field)
      if (isAll) {
        const alias = text(fields[0])
        const school = alias === undefined ? firstOf(level.names) : this.#lookUp(alias, level)
        if (school !== undefined) return school
      }
      const name = get(target, 'name') ?? text(fields.at(-1))
      if (name === 'schoolId') return this.#schoolOf(value, level)
    }
    return undefined
  }

  /** An item of a FROM clause: a table, a query, a function or a join of such. */
  #from(item: Node, level: Level): void {
    const [[kind, content]] = Object.entries(item) as [[string, Node]]
    const alias = get(content['alias'], 'aliasname') as string | undefined
    if (kind === 'RangeVar') {
      const table = String(content['relname'])
      this.#table(table, alias ?? table, level)
    } else if (kind === 'RangeSubselect') {
      // a lateral query sees the names beside it, so every query may
      const school = this.statement(content['subquery'] as Node, level)
      const named = list(get(content['alias'], 'colnames')).some((name) => text(name) === 'schoolId')
      level.names.set(alias ?? '', school ?? (named ? this.#newSchool() : undefined))
    } else if (kind === 'JoinExpr') {
      const before = new Set(level.names.keys())
      this.#from(content['larg'] as Node, level)
      const middle = new Set(level.names.keys())
      this.#from(content['rarg'] as Node, level)
      if (list(content['usingClause']).some((name) => text(name) === 'schoolId')) {
        const left = [...middle].filter((name) => !before.has(name)).map((name) => level.names.get(name))
        const right = [...level.names].filter(([name]) => !middle.has(name)).map(([, school]) => school)
        const schools = [...left, ...right].filter((school) => school !== undefined)
        for (const school of schools) this.#join(schools[0]!, school)
      }
      this.#inside(content['quals'], level)
    } else {
      // rows that a function makes of what the caller hands in are the caller's
      level.names.set(alias ?? '', kind === 'RangeFunction' ? named : undefined)
      this.#inside(content, level)
    }
  }

  /** Gives a table its number, unless its rows belong to no school; a CTE hides a table of its name. */
  #table(table: string, alias: string, level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer)
      if (at.ctes.has(table)) {
        level.names.set(alias, at.ctes.get(table))
        return at.ctes.get(table)
      }
    if (!this.#divided.has(table) && !this.#undivided.has(table)) {
      level.names.set(alias, undefined)
      return undefined
    }
    const school = this.#newSchool()
    if (!this.#undivided.has(table)) this.#tables.push({ table, school })
    level.names.set(alias, school)
    return school
  }

  /** Everything else: looks for equalities of schools and for queries within. */
  #inside(part: unknown, level: Level): void {
    if (Array.isArray(part)) {
      for (const one of part) this.#inside(one, level)
      return
    }
    if (typeof part !== 'object' || part === null) return
    const node = part as Node
    if ('SelectStmt' in node) return void this.statement(node, level)
    if ('A_Expr' in node) this.#equality(node['A_Expr'] as Node, level)
    for (const value of Object.values(node)) this.#inside(value, level)
  }

  #equality(expression: Node, level: Level): void {
    const kind = expression['kind']
    if (!list(expression['name']).some((name) => text(name) === '=')) return
    if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_IN') return
    const left = expression['lexpr'] as Node
    const right = expression['rexpr'] as Node
    const pairs: [Node, Node][] =
      left && 'RowExpr' in left && right && 'RowExpr' in right
        ? list(get(left['RowExpr'], 'args')).map((one, at) => [one, list(get(right['RowExpr'], 'args'))[at]!])
        : [[left, right]]
    for (const [one, other] of pairs) {
      if (!isSchool(one) && !isSchool(other)) continue
      const a = this.#schoolOf(one, level)
      const b = this.#schoolOf(other, level)
      if (a !== undefined && b !== undefined) this.#join(a, b)
    }
  }

  /** The school that an expression names: a column's, or the one of the caller where it is a value. */
  #schoolOf(value: Node, level: Level): number | undefined {
    if ('TypeCast' in value) return this.#schoolOf(get(value['TypeCast'], 'arg') as Node, level)
    if ('ParamRef' in value || 'A_Const' in value) return named
    // a setting or a trigger's row says one school
    if ('FuncCall' in value) return named
    if ('SubLink' in value) {
      const sublink = value['SubLink'] as Node
      return sublink['subLinkType'] === 'EXPR_SUBLINK' ? this.statement(sublink['subselect'] as Node, level) : undefined
    }
    const fields = list(get(value['ColumnRef'], 'fields'))
    if (text(fields.at(-1)) !== 'schoolId') return undefined
    return fields.length > 1 ? this.#lookUp(text(fields.at(-2))!, level) : this.#bare(level)
  }

  #lookUp(alias: string, level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer) if (at.names.has(alias)) return at.names.get(alias)
    return undefined
  }

  #bare(level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer) {
      const first = firstOf(at.names)
      if (first !== undefined) return first
    }
    return undefined
  }

  #newSchool(): number {
    return this.#joined.push(this.#joined.length) - 1
  }

  #isNamed(school: number): boolean {
    return this.#root(school) === this.#root(named)
  }

  #root(school: number): number {
    let at = school
    while (this.#joined[at] !== at) at = this.#joined[at]!
    return at
  }

  #join(one: number, other: number): void {
    const [low, high] = [this.#root(one), this.#root(other)].sort((a, b) => a - b) as [number, number]
    this.#joined[high] = low
  }
}

const list = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
const get = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Node)[key] : undefined
const text = (node: Node | undefined): string | undefined => get(node?.['String'], 'sval') as string | undefined
const isSchool = (value: Node): boolean => text(list(get(value['ColumnRef'], 'fields')).at(-1)) === 'schoolId'
const firstOf = (names: Names): number | undefined => [...names.values()].find((school) => school !== undefined)
/** A constant false, which PostgreSQL's tree tells by leaving out its value. */
const isFalse = (value: unknown): boolean => {
  const constant = get(value, 'A_Const')
  return get(constant, 'boolval') !== undefined && get(get(constant, 'boolval'), 'boolval') !== true
}
