import { sql, type RawBuilder } from 'kysely'
import type { RatedRule } from './rules.ts'

/** A row of evaluation, called `e`, as the rules read it. */
export const ratedRuleJson: RawBuilder<RatedRule> = sql`json_build_object(
    'versionNo', e."versionNo", 'hourCap', e."hourCap", 'credit', e."credit", 'points', e."points", 'modeRules',
    e."modeRules", 'awardRules', e."awardRules", 'abilityRules', e."abilityRules", 'teamRules', e."teamRules",
    'bestOnlyGroup', e."bestOnlyGroup", 'yearCap', e."yearCap"
  )`
