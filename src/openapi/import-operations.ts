import { describeThrown } from '../errors/describe-thrown.ts';
import { DefinitionError, DuplicateNameError, ToolwrightError, withPlace } from '../errors/errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import { assertResource } from '../resources/assert-resource.ts';
import { parseUriTemplate } from '../resources/uri-template.ts';
import { assertDefinition } from '../tools/compile/assert-definition.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { assertKnownOperations, assertOverride, findUnknownOverride } from './assert-override.ts';
import type { LoadedDocument } from './document/load-document.ts';
import { extensionsOf } from './document/parse/read-values.ts';
import { References } from './document/references.ts';
import { filesOf, readInfo } from './document-info.ts';
import { createApi } from './import-api.ts';
import type { Api } from './import-api.ts';
import type { OpenApiOptions } from './import-options.ts';
import { reportOf } from './model/import-report.ts';
import type { OpenApiReport, OperationReport } from './model/import-report.ts';
import { findBaseUrl } from './mapping/base-url.ts';
import type { BaseUrl } from './mapping/base-url.ts';
import { toOperationResource } from './mapping/operation-resource.ts';
import { toOperationTool } from './mapping/operation-tool.ts';
import type { OperationToolParts } from './mapping/operation-tool.ts';
import { planOutput } from './mapping/output-schema.ts';
import { planOperation } from './mapping/plan-operation.ts';
import { tidyText } from './naming/clean-text.ts';
import { cutText } from './naming/cut-text.ts';
import { nameOperations } from './naming/name-operations.ts';
import type { Operation } from './model/operation.ts';
import { OPENAPI_DEFAULTS } from './openapi-defaults.ts';
import { indexPlans } from './operation-caller.ts';
import { settleDocument } from './operations/misplaced-references.ts';
import { readOperations } from './operations/read-operations.ts';
import type { ReadOperation } from './operations/read-operations.ts';
import { findUnknownArguments, ReportNotes } from './report-notes.ts';
import { deferRequest } from './request/deferred-request.ts';
import { mergeOverrides } from './selection/operation-override.ts';
import type { OperationOverride } from './selection/operation-override.ts';
import { readExtensions, readRootExtensions } from './selection/read-extensions.ts';
import { decideKind } from './selection/route-maps.ts';
import type { KindDecision } from './selection/route-maps.ts';
import { selectOperations } from './selection/select-operations.ts';
import { filtersOf } from './filters-of.ts';

/** Result of {@link importOperations}. */
export interface ImportedOperations {
  readonly tools: readonly AnyToolDefinition[];
  readonly resources: readonly AnyResourceDefinition[];
  readonly report: OpenApiReport;
  /** Plans of every operation, including operations that are left out or rejected. */
  readonly plans: ReturnType<typeof indexPlans>;
}

/** Creates the definitions of all operations. An error in one operation affects no other. */
export function importOperations(
  document: LoadedDocument,
  options: OpenApiOptions,
  client: OutboundClient,
): ImportedOperations {
  return new OperationImporter(document, options, client).run();
}

/** A readable operation and its overrides. */
interface Wanted {
  readonly operation: Operation;
  readonly decision: KindDecision;
  readonly notes: string[];
}

interface LastMissing {
  readonly security: Operation['security'];
  readonly baseUrl: string;
  readonly missing: readonly string[];
}

class OperationImporter {
  readonly #document: LoadedDocument;
  readonly #options: OpenApiOptions;
  readonly #api: Api;
  readonly #notes: ReportNotes;
  readonly #read: readonly ReadOperation[];
  readonly #tools: AnyToolDefinition[] = [];
  readonly #resources: AnyResourceDefinition[] = [];
  readonly #uris = new Set<string>();
  #lastBase: { readonly servers: Operation['servers']; readonly base: BaseUrl } | undefined;
  #lastMissing: LastMissing | undefined;
  /** Error for the first override of an argument that its operation does not have. */
  #unknown: DefinitionError | undefined;

  constructor(loaded: LoadedDocument, options: OpenApiOptions, client: OutboundClient) {
    const references = new References(loaded);
    const document = settleDocument(loaded, references);
    const { operations, notes } = readOperations(document, references);
    this.#document = document;
    this.#options = options;
    this.#read = operations;
    this.#api = createApi({ document, references, options, client, operations });
    this.#notes = new ReportNotes(options.describeFinding);
    this.#notes.add([...document.notes, ...notes, ...this.#api.notes]);
    this.#notes.keep(document.findings);
    this.#notes.addFindings(this.#api.findings);
  }

  run(): ImportedOperations {
    const wanted = this.#decideAll();
    const operations = [...wanted.values()].map(({ operation }) => operation);
    const { namespace, maxNameLength, abbreviate } = this.#options;
    const names = nameOperations(operations, {
      chosen: (operation) => wanted.get(operation)?.decision.override.name,
      prefix: namespace === undefined || namespace === '' ? undefined : `${namespace}_`,
      maxLength: maxNameLength ?? OPENAPI_DEFAULTS.maxNameLength,
      abbreviate,
    });
    const { decisions, unmatched } = selectOperations(operations, filtersOf(this.#options), names);
    this.#notes.addFindings(unmatched);
    const reports = this.#read.map((each): OperationReport => {
      if ('refused' in each) return this.#refuse(each.key, undefined, new DefinitionError(each.refused));
      const { operation } = each;
      const found = wanted.get(operation);
      const decision = decisions.get(operation);
      if (found === undefined || decision === undefined)
        return reportOf(each.key, operation, { outcome: 'left-out' });
      if (decision.kind === 'left-out') {
        const { finding, reason: why } = decision;
        const [reason = why] = finding === undefined ? [] : this.#notes.keep([finding]);
        return reportOf(each.key, operation, { outcome: 'left-out', reason });
      }
      if (found.decision.kind === 'none') {
        const reason = found.decision.override.hidden === true ? 'it is hidden' : 'a route map excludes it';
        return reportOf(each.key, operation, { outcome: 'left-out', reason });
      }
      const name = names.get(operation) ?? operation.key;
      const wish = found.decision.override.name;
      if (wish !== undefined && !name.endsWith(wish))
        found.notes.push(`renamed to ${name}: "${wish}" is already used or is not a valid name`);
      return this.#importOne(found, name);
    });
    if (this.#unknown !== undefined) throw this.#unknown;
    this.#assertAny(reports);
    const plans = indexPlans(this.#read, names, (operation, name) => {
      const { override = {} } = wanted.get(operation)?.decision ?? {};
      return this.#plan(operation, { name, override, notes: [] });
    });
    return { tools: this.#tools, resources: this.#resources, report: this.#describe(reports), plans };
  }

  /** Overrides of each operation: from the document, the options, then the function; later ones win. */
  #decideAll(): ReadonlyMap<Operation, Wanted> {
    const { overrides = {}, routeMaps } = this.#options;
    const root = readRootExtensions(extensionsOf(this.#document.root));
    this.#notes.add(root.notes);
    const used = new Set<string>();
    const wanted = new Map<Operation, Wanted>();
    for (const each of this.#read) {
      if ('refused' in each) continue;
      const { operation } = each;
      const own = readExtensions(operation.extensions);
      const keys = [operation.key, operation.operationId ?? ''].filter((key) =>
        Object.hasOwn(overrides, key),
      );
      for (const key of keys) used.add(key);
      const merged = mergeOverrides(
        root.override,
        this.#withinBudget(own.override),
        ...keys.map((key) => overrides[key]),
        this.#askOverride(operation),
      );
      const decision = decideKind(operation, routeMaps, merged);
      const notes = [...each.notes, ...own.notes, ...(decision.note === undefined ? [] : [decision.note])];
      wanted.set(operation, { operation, decision, notes });
    }
    assertKnownOperations(
      Object.keys(overrides).filter((key) => !used.has(key)),
      this.#read,
    );
    return wanted;
  }

  /** Limits texts from the document; texts from the author of the server are kept whole. */
  #withinBudget(override: OperationOverride): OperationOverride {
    const { description } = override;
    const maxChars = this.#options.maxDescription ?? OPENAPI_DEFAULTS.maxDescription;
    return description === undefined
      ? override
      : { ...override, description: cutText(description, maxChars) };
  }

  #askOverride(operation: Operation): OperationOverride | undefined {
    const { override } = this.#options;
    if (override === undefined) return undefined;
    const where = `The override function for "${operation.key}"`;
    let given: OperationOverride | undefined;
    try {
      given = override(operation) ?? undefined;
    } catch (error) {
      throw new DefinitionError(`${where} failed: ${describeThrown(error).message}`, {
        cause: error,
        option: 'override',
        path: [operation.key],
      });
    }
    if (given !== undefined) assertOverride(given, 'override', operation.key);
    return given;
  }

  #importOne({ operation, decision, notes }: Wanted, name: string): OperationReport {
    const { kind, override } = decision;
    try {
      const parts = this.#plan(operation, { name, override, notes });
      if (kind === 'resource' || kind === 'resource-template') this.#addResource(parts, kind);
      else this.#addTool(parts);
      const missingCredentials = this.#missingFor(operation, parts.callable.baseUrl);
      return {
        ...reportOf(operation.key, operation, { outcome: kind === 'none' ? 'left-out' : kind }),
        name,
        notes,
        missingCredentials,
      };
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      return { ...this.#refuse(operation.key, operation, error), notes };
    }
  }

  #refuse(key: string, operation: Operation | undefined, error: ToolwrightError): OperationReport {
    withPlace(error, { reason: 'unusable-operation', option: 'document', path: [key] });
    return reportOf(key, operation, { outcome: 'refused', reason: this.#notes.tell(error) });
  }

  /** An operation that the registry would reject affects no other. Only overrides can cause that. */
  #addTool(parts: OperationToolParts): void {
    const tool = toOperationTool(parts);
    if (Object.keys(parts.override).length > 0) assertDefinition(tool);
    this.#tools.push(tool);
  }

  /** Cached: most operations have the same server and the same security requirements. */
  #missingFor(operation: Operation, baseUrl: string): readonly string[] {
    const { security } = operation;
    const last = this.#lastMissing;
    if (last !== undefined && last.security === security && last.baseUrl === baseUrl) return last.missing;
    const { origin } = new URL(baseUrl);
    const { lines, findings } = this.#api.parts.authenticator.missingFor(
      operation,
      origin,
      this.#notes.describe,
    );
    this.#notes.keep(findings);
    this.#lastMissing = { security, baseUrl, missing: lines };
    return lines;
  }

  #baseUrlOf({ servers }: Operation): BaseUrl {
    const last = this.#lastBase;
    if (last !== undefined && last.servers === servers) return last.base;
    const base = findBaseUrl({ servers }, this.#api.base);
    this.#lastBase = { servers, base };
    return base;
  }

  #addResource(parts: OperationToolParts, kind: 'resource' | 'resource-template'): void {
    const resource = toOperationResource({ ...parts, kind, root: this.#api.resourceRoot });
    const uri = assertResource(resource);
    if (kind === 'resource-template') parseUriTemplate(uri, `Resource "${uri.slice(0, 200)}"`);
    if (this.#uris.has(uri)) throw new DuplicateNameError('Resource', uri);
    this.#uris.add(uri);
    this.#resources.push(resource);
  }

  #plan(
    operation: Operation,
    { name, override, notes }: { name: string; override: OperationOverride; notes: string[] },
  ): OperationToolParts {
    const { planOptions, outputs, compiler, answers } = this.#api;
    const base = this.#baseUrlOf(operation);
    if ('problem' in base) throw new DefinitionError(base.problem, base.finding);
    const plan = planOperation(operation, override, planOptions);
    const fatal = plan.problems.find(({ isFatal }) => isFatal);
    if (fatal !== undefined) throw new DefinitionError(fatal.text);
    if (plan.problems.length > 0) notes.push(...new Set(plan.problems.map(({ text }) => text)));
    this.#unknown ??= findUnknownOverride(operation, plan, this.#options.overrides);
    notes.push(...this.#notes.keep(findUnknownArguments(operation.key, plan.unmatched)));
    const wantsOutput = outputs !== undefined && override.response?.select === undefined;
    return {
      name,
      callable: {
        operation,
        request: deferRequest(plan.request, base.url),
        baseUrl: base.url,
        api: this.#api.parts,
      },
      plan,
      output: wantsOutput
        ? planOutput(operation, { converter: outputs, compiler, maxSchemaChars: planOptions.maxSchemaChars })
        : undefined,
      override,
      tags: operation.tags.map((tag) => tidyText(tag)).filter((tag) => tag !== ''),
      maxDescription: this.#options.maxDescription ?? OPENAPI_DEFAULTS.maxDescription,
      stripHtml: this.#options.stripHtml === true,
      answers,
      compiler,
    };
  }

  /** Throws if every operation was rejected, with the reasons. */
  #assertAny(reports: readonly OperationReport[]): void {
    const refused = reports.filter(({ outcome }) => outcome === 'refused');
    // Operations that filters exclude are not failures.
    if (refused.length === 0 || refused.length < reports.length) return;
    const reasons = [...new Set(refused.map(({ reason }) => reason ?? ''))];
    const more = reasons.length > 3 ? ` And ${reasons.length - 3} more reasons.` : '';
    const { title } = readInfo(this.#document);
    const [first = refused[0]] = refused;
    throw new DefinitionError(
      `No operation of "${title}" can be imported. ${first?.key ?? ''}: ${reasons.slice(0, 3).join(' ')}${more}`,
      { findings: this.#notes.findings },
    );
  }

  #describe(operations: readonly OperationReport[]): OpenApiReport {
    const { version: openapi, uri } = this.#document;
    const notes = this.#notes.clean(operations);
    return { ...readInfo(this.#document), openapi, uri, files: filesOf(this.#document), ...notes };
  }
}
