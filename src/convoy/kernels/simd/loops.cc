// Compiled once for each instruction set with CONVOY_SIMD set to its name. It includes nothing that could leave behind
// inline functions compiled for the wrong processor.
#include "convoy/kernels/simd/loops.h"

#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

using Index16 = std::uint16_t __attribute__((vector_size(kBlock * sizeof(std::uint16_t)), aligned(2), may_alias));

// Where the activation has slope one. `v` may be the value before or after the activation, since both give the same
// answer.
template <Activation kActivation>
Mask lets_through(Vector v) {
  Mask open = v > Vector{};
  if constexpr (kActivation == Activation::relu6) open = open & (v < all(6.0F));
  return open;
}

// The gradient there, otherwise zero.
template <Activation kActivation>
Vector passed(Vector gradient, Vector v) {
  if constexpr (kActivation == Activation::none) return gradient;
  return where(lets_through<kActivation>(v), gradient, Vector{});
}

// Sums x - shift, with the plane's first pixel as shift, so that a small deviation keeps its digits despite a large
// mean. Four accumulators hide the latency of the additions.
template <typename Element>
void moments(const Element* x, std::int64_t pixels, float* mean, float* m2) {
  const Vector shift = load(x);
  Vector sum[4]{};
  Vector squares[4]{};
  std::int64_t i = 0;
  for (; i + 4 <= pixels; i += 4) {
    for (int k = 0; k < 4; ++k) {
      const Vector v = load(x + (i + k) * kBlock) - shift;
      sum[k] += v;
      squares[k] += v * v;
    }
  }
  for (; i < pixels; ++i) {
    const Vector v = load(x + i * kBlock) - shift;
    sum[0] += v;
    squares[0] += v * v;
  }
  const Vector total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const Vector total_squares = (squares[0] + squares[1]) + (squares[2] + squares[3]);
  const Vector n = all(static_cast<float>(pixels));
  const Vector deviation = total_squares - total * total / n;
  store(mean, shift + total / n);
  store(m2, where(deviation < Vector{}, Vector{}, deviation));
}

template <typename Element>
void batch_norm_apply(const BatchNormApply<Element>& arguments) {
  for_activation(arguments.activation, [&]<Activation kActivation>() {
    const BatchNormApply<Element> args = arguments;
    const Vector a = load(args.a);
    const Vector b = load(args.b);
    if (args.shortcut == nullptr) {
      for (std::int64_t i = 0; i < args.pixels; ++i) {
        store(args.y + i * kBlock, activated<kActivation>(a * load(args.x + i * kBlock) + b));
      }
    } else {
      for (std::int64_t i = 0; i < args.pixels; ++i) {
        const Vector v = a * load(args.x + i * kBlock) + b + load(args.shortcut + i * kBlock);
        store(args.y + i * kBlock, activated<kActivation>(v));
      }
    }
  });
}

// The masked gradient g of pixel i.
template <Activation kActivation, bool kFromY, bool kTwo, typename Element>
Vector masked_gradient(const BatchNormGradient<Element>& args, std::int64_t i, Vector x, Vector a, Vector b) {
  Vector g = load(args.gradient + i * kBlock);
  if constexpr (kTwo) g += load(args.gradient2 + i * kBlock);
  if constexpr (kActivation == Activation::none) return g;
  if constexpr (kFromY) return passed<kActivation>(g, load(args.y + i * kBlock));
  return passed<kActivation>(g, a * x + b);
}

// Calls body<activation, mask from y, two gradients>.
template <typename Element, typename Body>
void for_gradient(const BatchNormGradient<Element>& args, Body body) {
  for_activation(args.activation, [&]<Activation kActivation>() {
    if (args.y != nullptr) {
      if (args.gradient2 != nullptr) {
        body.template operator()<kActivation, true, true>();
      } else {
        body.template operator()<kActivation, true, false>();
      }
    } else if (args.gradient2 != nullptr) {
      body.template operator()<kActivation, false, true>();
    } else {
      body.template operator()<kActivation, false, false>();
    }
  });
}

template <typename Element>
void batch_norm_sums(const BatchNormGradient<Element>& arguments, const float* mean, float* sum_g, float* sum_gx) {
  for_gradient(arguments, [&]<Activation kActivation, bool kFromY, bool kTwo>() {
    const BatchNormGradient<Element> args = arguments;
    const Vector a = load(args.a);
    const Vector b = load(args.b);
    const Vector m = load(mean);
    Vector g_sum[2]{};
    Vector gx_sum[2]{};
    const auto pixel = [&](std::int64_t i, int k) {
      const Vector x = load(args.x + i * kBlock);
      const Vector g = masked_gradient<kActivation, kFromY, kTwo>(args, i, x, a, b);
      if (args.masked != nullptr) store(args.masked + i * kBlock, g);
      g_sum[k] += g;
      gx_sum[k] += g * (x - m);
    };
    std::int64_t i = 0;
    for (; i + 2 <= args.pixels; i += 2) {
      pixel(i, 0);
      pixel(i + 1, 1);
    }
    if (i < args.pixels) pixel(i, 0);
    store(sum_g, g_sum[0] + g_sum[1]);
    store(sum_gx, gx_sum[0] + gx_sum[1]);
  });
}

template <typename Element>
void batch_norm_gradient(const BatchNormGradient<Element>& arguments, const float* p, const float* q, const float* r,
                         Element* dx) {
  for_gradient(arguments, [&]<Activation kActivation, bool kFromY, bool kTwo>() {
    const BatchNormGradient<Element> args = arguments;
    const Vector a = load(args.a);
    const Vector b = load(args.b);
    const Vector vp = load(p);
    const Vector vq = load(q);
    const Vector vr = load(r);
    for (std::int64_t i = 0; i < args.pixels; ++i) {
      const Vector x = load(args.x + i * kBlock);
      const Vector g = masked_gradient<kActivation, kFromY, kTwo>(args, i, x, a, b);
      store(dx + i * kBlock, vp * g + (vq * x + vr));
    }
  });
}

// Processes whole vectors directly and the remainder through a padded vector.
template <typename Body>
void flat(std::int64_t count, Body body) {
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) body(i, kBlock);
  if (i < count) body(i, static_cast<int>(count - i));
}

template <typename Element>
Vector load_some(const Element* p, int n) {
  if (n == kBlock) return load(p);
  Element whole[kBlock]{};
  for (int k = 0; k < n; ++k) whole[k] = p[k];
  return load(whole);
}

template <typename Element>
void store_some(Element* p, Vector v, int n) {
  if (n == kBlock) {
    store(p, v);
    return;
  }
  Element whole[kBlock];
  store(whole, v);
  for (int k = 0; k < n; ++k) p[k] = whole[k];
}

template <typename Element>
void activate(const Element* x, Element* y, std::int64_t count, Activation activation) {
  for_activation(activation, [&]<Activation kActivation>() {
    flat(count, [&](std::int64_t i, int n) { store_some(y + i, activated<kActivation>(load_some(x + i, n)), n); });
  });
}

template <typename Element>
void activate_gradient(const Element* y, const Element* dy, Element* dx, std::int64_t count, Activation activation) {
  for_activation(activation, [&]<Activation kActivation>() {
    flat(count, [&](std::int64_t i, int n) {
      store_some(dx + i, passed<kActivation>(load_some(dy + i, n), load_some(y + i, n)), n);
    });
  });
}

template <typename Element>
void add(const Element* a, const Element* b, Element* y, std::int64_t count, Activation activation) {
  for_activation(activation, [&]<Activation kActivation>() {
    flat(count, [&](std::int64_t i, int n) {
      store_some(y + i, activated<kActivation>(load_some(a + i, n) + load_some(b + i, n)), n);
    });
  });
}

template <typename From, typename To>
void convert(const From* x, To* y, std::int64_t count) {
  flat(count, [&](std::int64_t i, int n) { store_some(y + i, load_some(x + i, n), n); });
}

int at_least(int a, int b) { return a > b ? a : b; }
int at_most(int a, int b) { return a < b ? a : b; }

// The part of window (oh, ow) that is inside the image.
struct Cut {
  int h0, h1, w0, w1;  // rows h0..h1-1, columns w0..w1-1 of the image
  int top, left;       // the window's own corner, which may be in the padding

  Cut(const PoolWindow& p, int oh, int ow) : top(oh * p.stride_h - p.pad_top), left(ow * p.stride_w - p.pad_left) {
    h0 = at_least(top, 0);
    w0 = at_least(left, 0);
    h1 = at_most(top + p.kernel_h, p.in_h);
    w1 = at_most(left + p.kernel_w, p.in_w);
  }
};

// Where the gradient goes: to the maximum, or nowhere if the activation that made it stops the gradient.
template <Activation kActivation>
Mask place_of(Mask best_at, Vector best) {
  if constexpr (kActivation == Activation::none) return best_at;
  return lets_through<kActivation>(best) ? best_at : Mask{} + kNowhere;
}

template <Activation kActivation, typename Element>
void max_pool_of(const PoolWindow& p, const Element* x, Element* y, std::uint16_t* index) {
  for (int oh = 0; oh < p.out_h; ++oh) {
    for (int ow = 0; ow < p.out_w; ++ow) {
      const Cut cut(p, oh, ow);
      Vector best = all(-__builtin_inff());
      Mask best_at = Mask{} + ((cut.h0 - cut.top) * p.kernel_w + (cut.w0 - cut.left));
      for (int h = cut.h0; h < cut.h1; ++h) {
        for (int w = cut.w0; w < cut.w1; ++w) {
          const Vector v = load(x + (static_cast<std::int64_t>(h) * p.in_w + w) * kBlock);
          const Mask better = (v > best) | (v != v);
          best = where(better, v, best);
          best_at = better ? Mask{} + ((h - cut.top) * p.kernel_w + (w - cut.left)) : best_at;
        }
      }
      const std::int64_t o = (static_cast<std::int64_t>(oh) * p.out_w + ow) * kBlock;
      store(y + o, best);
      if (index == nullptr) continue;
      *reinterpret_cast<Index16*>(index + o) = __builtin_convertvector(place_of<kActivation>(best_at, best), Index16);
    }
  }
}

template <typename Element>
void max_pool(const PoolWindow& p, const Element* x, Element* y, std::uint16_t* index, Activation activation) {
  for_activation(activation, [&]<Activation kActivation>() { max_pool_of<kActivation>(p, x, y, index); });
}

// The windows along one direction that cover a pixel: first to last, last excluded. Pixels are visited in order, so
// that nothing has to be divided.
class Cover {
 public:
  Cover(int pad, int kernel, int stride, int windows)
      : pad_(pad), kernel_(kernel), stride_(stride), windows_(windows) {}

  void move_to(int pixel) {
    while (last < windows_ && last * stride_ - pad_ <= pixel) ++last;
    while (first < last && first * stride_ - pad_ + kernel_ <= pixel) ++first;
  }

  int first = 0, last = 0;

 private:
  int pad_, kernel_, stride_, windows_;
};

// Calls body(h, w, rows, columns) for each pixel of the image, with the windows that cover it. Gradients are summed in
// a register, pixel by pixel, and written once: sums in bf16 memory would be rounded again and again.
template <typename Body>
void for_pixels(const PoolWindow& p, const Body& body) {
  Cover rows(p.pad_top, p.kernel_h, p.stride_h, p.out_h);
  for (int h = 0; h < p.in_h; ++h) {
    rows.move_to(h);
    Cover columns(p.pad_left, p.kernel_w, p.stride_w, p.out_w);
    for (int w = 0; w < p.in_w; ++w) {
      columns.move_to(w);
      body(h, w, rows, columns);
    }
  }
}

template <typename Element>
void max_pool_gradient(const PoolWindow& p, const Element* dy, const std::uint16_t* index, Element* dx) {
  for_pixels(p, [&](int h, int w, const Cover& rows, const Cover& columns) {
    Vector sum{};
    for (int oh = rows.first; oh < rows.last; ++oh) {
      for (int ow = columns.first; ow < columns.last; ++ow) {
        const std::int64_t o = (static_cast<std::int64_t>(oh) * p.out_w + ow) * kBlock;
        const Mask at = __builtin_convertvector(*reinterpret_cast<const Index16*>(index + o), Mask);
        const int tap = (h - oh * p.stride_h + p.pad_top) * p.kernel_w + (w - ow * p.stride_w + p.pad_left);
        sum += where(at == Mask{} + tap, load(dy + o), Vector{});
      }
    }
    store(dx + (static_cast<std::int64_t>(h) * p.in_w + w) * kBlock, sum);
  });
}

// One divided by the window's divisor. Padding counts if asked for; the part of a window past the padding in ceil mode
// never does.
float pool_share(const PoolWindow& p, const Cut& cut) {
  if (!p.count_padding) return 1.0F / static_cast<float>((cut.h1 - cut.h0) * (cut.w1 - cut.w0));
  const int h_end = at_most(cut.top + p.kernel_h, p.in_h + p.pad_bottom);
  const int w_end = at_most(cut.left + p.kernel_w, p.in_w + p.pad_right);
  return 1.0F / static_cast<float>((h_end - cut.top) * (w_end - cut.left));
}

template <typename Element>
void average_pool(const PoolWindow& p, const Element* x, Element* y) {
  for (int oh = 0; oh < p.out_h; ++oh) {
    for (int ow = 0; ow < p.out_w; ++ow) {
      const Cut cut(p, oh, ow);
      Vector sum{};
      for (int h = cut.h0; h < cut.h1; ++h) {
        for (int w = cut.w0; w < cut.w1; ++w) sum += load(x + (static_cast<std::int64_t>(h) * p.in_w + w) * kBlock);
      }
      store(y + (static_cast<std::int64_t>(oh) * p.out_w + ow) * kBlock, sum * all(pool_share(p, cut)));
    }
  }
}

template <typename Element>
void average_pool_gradient(const PoolWindow& p, const Element* dy, Element* dx) {
  for_pixels(p, [&](int h, int w, const Cover& rows, const Cover& columns) {
    Vector sum{};
    for (int oh = rows.first; oh < rows.last; ++oh) {
      for (int ow = columns.first; ow < columns.last; ++ow) {
        const std::int64_t o = (static_cast<std::int64_t>(oh) * p.out_w + ow) * kBlock;
        sum += load(dy + o) * all(pool_share(p, Cut(p, oh, ow)));
      }
    }
    store(dx + (static_cast<std::int64_t>(h) * p.in_w + w) * kBlock, sum);
  });
}

template <typename Element>
constexpr Loops<Element> table() {
  return {
      .block = kBlock,
      .moments = moments<Element>,
      .batch_norm_apply = batch_norm_apply<Element>,
      .batch_norm_sums = batch_norm_sums<Element>,
      .batch_norm_gradient = batch_norm_gradient<Element>,
      .activate = activate<Element>,
      .activate_gradient = activate_gradient<Element>,
      .add = add<Element>,
      .to_floats = convert<Element, float>,
      .from_floats = convert<float, Element>,
      .max_pool = max_pool<Element>,
      .max_pool_gradient = max_pool_gradient<Element>,
      .average_pool = average_pool<Element>,
      .average_pool_gradient = average_pool_gradient<Element>,
  };
}

}  // namespace

#if !defined(__AVX512BF16__)  // which has no use for floats
extern const Loops<float> kLoops;
constinit const Loops<float> kLoops = table<float>();
#endif
extern const Loops<BFloat16> kBFloat16Loops;
constinit const Loops<BFloat16> kBFloat16Loops = table<BFloat16>();

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
