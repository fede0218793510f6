import { ToolError } from 'toolwright';
import type { FitnessCaller } from '../accounts/caller.ts';
import type { Provider, ProviderFeature } from './provider.ts';
import { findProvider, listProviders } from './providers.ts';
import type { ProviderName, Providers } from './providers.ts';
import { ProviderError } from './provider-error.ts';
import { FEATURE_NOUNS, Source } from './source.ts';

interface Choice {
  /** Undefined: the default. */
  readonly name: ProviderName | undefined;
  /** The feature that the caller needs. Default: activities. */
  readonly feature?: ProviderFeature;
  /** Callers with several connected providers get the first one: for tools that cannot name a provider. Default: an error. */
  readonly isFirstEnough?: boolean;
  readonly signal?: AbortSignal;
}

const DEMONSTRATION = 'These are generated data of the demonstration athlete.';

/** The providers as one caller can use them. Anonymous callers have the demonstration athlete alone. */
export class Sources {
  readonly #providers: Providers;
  readonly #caller: FitnessCaller;

  constructor(providers: Providers, caller: FitnessCaller) {
    this.#providers = providers;
    this.#caller = caller;
  }

  /** The source of a name. Default: the provider that the caller has connected, else the demonstration athlete. */
  async choose({ name, feature = 'activities', isFirstEnough = false, signal }: Choice): Promise<Source> {
    const chosen = name ?? (await this.#chooseDefault(feature, isFirstEnough));
    const provider = findProvider(this.#providers, chosen);
    if (provider === undefined || !provider.features.has(feature))
      throw new ToolError(`This server has no provider ${chosen} with ${FEATURE_NOUNS[feature]}.`, {
        suggestions: [`Use ${listProviders(this.#providers, feature).join(' or ')}.`],
      });
    await this.#assertConnected(provider);
    const notes = chosen === 'synthetic' ? [DEMONSTRATION] : [];
    return new Source(provider, { user: this.#caller.id, signal, notes });
  }

  async #chooseDefault(feature: ProviderFeature, isFirstEnough: boolean): Promise<ProviderName> {
    if (this.#caller.isAnonymous) return 'synthetic';
    const connected: ProviderName[] = [];
    for (const name of listProviders(this.#providers)) {
      if (name === 'synthetic') continue;
      if (await findProvider(this.#providers, name)?.isConnected(this.#caller.id)) connected.push(name);
    }
    const able = connected.filter((name) => findProvider(this.#providers, name)?.features.has(feature));
    if (able.length > 1 && !isFirstEnough)
      throw new ToolError(`You have data at several providers: ${able.join(', ')}.`, {
        suggestions: ['Call again with one of them.'],
      });
    // The data of the demonstration athlete would be taken for those of the caller.
    if (able.length === 0 && connected.length > 0)
      throw new ToolError(`You have no ${FEATURE_NOUNS[feature]} at ${connected.join(' or ')}.`, {
        suggestions: ['Give them with the call, or use the provider synthetic for generated ones.'],
      });
    return able[0] ?? 'synthetic';
  }

  async #assertConnected(provider: Provider): Promise<void> {
    if (provider.name === 'synthetic') return;
    if (this.#caller.isAnonymous)
      throw new ToolError(
        `Anonymous callers have no data at ${provider.name}: only the demonstration athlete is public.`,
        { suggestions: ['Use the provider synthetic, or call with the token of a user.'] },
      );
    if (await provider.isConnected(this.#caller.id)) return;
    throw new ProviderError(provider.name, `You have no data at ${provider.name}.`, {
      failure: 'not-connected',
    });
  }
}
